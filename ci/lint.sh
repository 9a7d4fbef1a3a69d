#!/usr/bin/env bash
# Builds assay and looks for faults in contracts: in those that it comes with, or in others.
#
#   ci/lint.sh [CONTRACT...]     (contracts/reference and contracts/adapters)
#
# What is found is printed, and goes to build/lint: lint.sarif for code hosts, lint.json for programs.
#
# Exit status: that of `assay lint` (0 no fault, 2 a faulty contract); 3 if it could not be set up or built.
set -Eeuo pipefail
trap 'exit 3' ERR
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/ci/configure.sh"

"$root/ci/setup.sh" || exit 3
if [[ $(cached BUILD_TESTING) == ON ]]; then option=""; else option=-DBUILD_TESTING=OFF; fi
configure_release $option || exit 3
echo "Building assay"
cmake --build "$root/build/release" --target assay || exit 3

if [[ $# -eq 0 ]]; then
  cd "$root"  # so that the places in the SARIF log are those of the repository
  set -- contracts/reference contracts/adapters
fi
program=$root/build/release/assay
out=$root/build/lint
mkdir -p "$out"
status=0
"$program" lint "$@" || status=$?
for format in sarif json; do
  again=0
  "$program" lint --format "$format" "$@" >"$out/lint.$format.new" || again=$?
  if [[ $again -ne $status ]]; then
    echo "ci/lint.sh: --format $format ended with status $again, the text with $status" >&2
    exit 3
  fi
  mv "$out/lint.$format.new" "$out/lint.$format"
done
exit "$status"
