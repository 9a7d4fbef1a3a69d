#!/bin/sh
# Tests of layers.sh: the sources as they are pass, and every planted include is found where it is.
set -eu
checks=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$checks/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failures=0

fresh_copy() {
  rm -rf "$copy/tree"
  mkdir "$copy/tree"
  (cd "$root" && cp -R contracts kernels oracles reports audit "$copy/tree")
}

# plant FILE INCLUDE: appends the include to the file (made if it is not there); must be reported.
plant() {
  fresh_copy
  mkdir -p "$(dirname "$copy/tree/$1")"
  printf '\n#include %s\n' "$2" >>"$copy/tree/$1"
  line=$(wc -l <"$copy/tree/$1" | tr -d ' ')
  status=0
  found=$("$checks/layers.sh" "$copy/tree") || status=$?
  case "$status:$found" in
    1:*"$1:$line: "*) ;;
    *)
      echo "not found: #include $2 in $1 (exit status $status)"
      failures=$((failures + 1))
      ;;
  esac
}

# allow FILE INCLUDE: must not be reported.
allow() {
  fresh_copy
  printf '\n#include %s\n' "$2" >>"$copy/tree/$1"
  if ! "$checks/layers.sh" "$copy/tree" >/dev/null; then
    echo "refused: #include $2 in $1"
    failures=$((failures + 1))
  fi
}

fresh_copy
"$checks/layers.sh" "$copy/tree" || failures=$((failures + 1))

plant contracts/claim.h '"kernels/kernel.h"'
plant contracts/claim.h '<kernels/kernel.h>'
plant contracts/claim_test.cc '"audit/audit.h"'
plant kernels/kernel.h '"oracles/codec.h"'
plant kernels/kernel.h '"reports/json.h"'
plant oracles/codec.h '"kernels/kernel.h"'
plant oracles/cast_lanes.inc '"audit/audit.h"'
plant oracles/shipped_certificates.h.in '"reports/json.h"'
plant reports/json.h '"audit/audit.h"'
plant reports/json.h '"oracles/codec.h"'
plant kernels/new/file.h '"audit/audit.h"'
plant audit/audit.cc '<yaml-cpp/yaml.h>'
plant audit/machine.cc '<hwy/targets.h>'
plant oracles/codec.cc '<mpfr.h>'
plant oracles/codec.cc '<gmp.h>'
plant reports/json_test.cc '<rapidcheck.h>'
plant reports/json_test.cc '<rapidcheck/catch.h>'
plant audit/bind.cc '"kernels/mutants/mutants.h"'
plant kernels/registry.cc '"kernels/mutants/mutants.h"'
plant reports/json.cc '"reports/testing/schema.h"'
plant audit/audit.cc '"audit/end_to_end/testing.h"'
plant audit/audit.cc '"audit.h"'
plant audit/audit.cc '"../kernels/kernel.h"'
plant audit/audit.cc '"audit/../kernels/kernel.h"'
plant audit/audit.cc 'MACRO'

allow kernels/kernel.h '"contracts/dtype.h"'
allow audit/audit.cc '"oracles/codec.h"'
allow kernels/registry_test.cc '"kernels/mutants/mutants.h"'
allow audit/end_to_end/testing.cc '"kernels/mutants/mutants.h"'
allow oracles/codec.cc '<cstdint>'

echo "layers_test: $failures failures"
[ "$failures" -eq 0 ]
