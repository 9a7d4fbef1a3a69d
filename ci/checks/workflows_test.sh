#!/usr/bin/env bash
# Tests of workflows.sh: each rule is broken once, in a copy.
set -euo pipefail
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$checks/../.." && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failures=0
file=.github/workflows/pull_request.yml
export ACTIONLINT=true  # a program that finds nothing: these are tests of our own rules

# expect STATUS OUTPUT: of the check of the copy; OUTPUT is a pattern.
expect() {
  local status=0 output
  output=$("$checks/workflows.sh" "$box" 2>&1) || status=$?
  # shellcheck disable=SC2053  # a pattern is meant
  if [[ $status -ne $1 || $output != $2 ]]; then
    printf 'exit status %d instead of %d, and not "%s":\n%s\n' "$status" "$1" "$2" "$output"
    failures=$((failures + 1))
  fi
}

fresh() {
  rm -rf "$box/ci" "$box/.github"
  cp -R "$root/ci" "$root/.github" "$box"
}

# breaks SED OUTPUT: the edit must change the file, and the check must see it.
breaks() {
  fresh
  sed -i "$1" "$box/$file"
  if cmp -s "$box/$file" "$root/$file"; then
    echo "the fault '$1' changes nothing"
    failures=$((failures + 1))
  fi
  expect 1 "$2"
}

fresh
expect 0 "*0 faults*"
ACTIONLINT=false expect 1 "*1 faults*"
rm "$box/ci/lint.sh"
expect 1 "$file:*there is no script ci/lint.sh*1 faults*"
fresh
chmod -x "$box/ci/audit.sh"
expect 1 "$file:*ci/audit.sh*1 faults*"
breaks 's|run: ci/audit.sh|run: ci/no_such.sh|' "*ci/no_such.sh*"
breaks 's|run: ci/audit.sh|run: cmake --preset release|' "*a script in ci/*cmake*"
breaks 's|run: ci/audit.sh|& \&\& echo done|' "*a script in ci/*done*"
breaks 's|run: ci/audit.sh|run: \||' "*a script in ci/*"
breaks 's|run: ci/audit.sh|"run" : ci/audit.sh|' "*on one line of its own*"
breaks 's|run: ci/audit.sh|{ run: echo }|' "*on one line of its own*"
breaks 's|--since "$BASE"|--since ${{ github.head_ref }}|' "*a script in ci/*head_ref*"
breaks 's|checkout@[0-9a-f]*|checkout@v4|' "*OWNER/NAME@COMMIT*"
breaks 's|security-events: write|contents: write|' "*nothing is written*"
breaks 's|^  contents: read|  contents: write|' "*nothing is written*is due for the whole file*"
breaks 's|^permissions:|x-permissions:|' "*is due for the whole file*"
breaks 's|^  pull_request:|  pull_request_target:|' "*pull_request_target*"
breaks 's|CXX: .*|CXX: ${{ secrets.TOKEN }}|' "*secrets*"
rm -rf "$box/.github"
expect 2 "*no files*"

echo "workflows_test: $failures failures"
[[ $failures -eq 0 ]]
