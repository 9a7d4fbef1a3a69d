#!/bin/sh
# Tests of format.sh: it finds a badly formatted file, and says so when it cannot look.
set -eu
checks=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failures=0

# expect STATUS COMMAND...
expect() {
  wanted=$1
  shift
  status=0
  "$@" >"$copy/output" 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ]; then
    echo "exit status $status instead of $wanted: $*"
    cat "$copy/output"
    failures=$((failures + 1))
  fi
}

cp "$checks/../../.clang-format" "$copy"
printf 'int good = 0;\n' >"$copy/good.cc"
printf 'int  bad=0 ;\n' >"$copy/bad.cc"

expect 77 env CLANG_FORMAT=there-is-no-such-program "$checks/format.sh"
printf '#!/bin/sh\necho "clang-format version 99.0.1"\n' >"$copy/another"
chmod +x "$copy/another"
expect 77 env CLANG_FORMAT="$copy/another" "$checks/format.sh"

status=0
"$checks/format.sh" "$copy/good.cc" >"$copy/output" || status=$?
if [ "$status" -eq 77 ]; then
  cat "$copy/output"
  [ "$failures" -eq 0 ] && exit 77
  exit 1
fi
expect 1 "$checks/format.sh" "$copy/good.cc" "$copy/bad.cc"
expect 0 "$checks/format.sh" "$copy/good.cc"

echo "format_test: $failures failures"
[ "$failures" -eq 0 ]
