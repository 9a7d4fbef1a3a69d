#!/usr/bin/env bash
# How much of the sources the tests execute: builds with counters (g++, gcov) in build/coverage, runs
# the tests and compares lines and branches with the floor in ci/coverage.floor.
#
#   ci/coverage.sh [--report-only] [CTEST-OPTION...]
#
#   --report-only     of the counts that are there; nothing is built or run
#   CTEST-OPTION...   tests to run (default: -L 'unit|oracle|end-to-end'); the floor is that of the default
#
# Counted are contracts, kernels, oracles, reports and audit without their tests, benchmarks, fuzzers,
# examples, adapters (most need libraries or processors that are not everywhere) and mutants. Branches
# are those of the source: not the ones that only an exception takes. Lines of a kernel or an oracle
# that are compiled once for each instruction set count when one of them was executed.
#
# Workers are counted also when they end by _exit (contracts/testing/keep_counts.c). What a process did
# that a signal ended is not: crashes and hangs on purpose, and workers that are killed. Shared libraries
# (plugins) are not counted either.
#
# build/coverage/report has the pages (index.html), summary.txt and summary.json. Exit status: 0 at or above
# the floor; 1 below it, or a test failed; 2 bad arguments; 3 it could not be set up, built or read.
set -Eeuo pipefail
trap 'exit 3' ERR
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/coverage
run=yes
if [[ ${1-} == --report-only ]]; then
  run=no
  shift
  if [[ $# -gt 0 ]]; then
    echo "ci/coverage.sh: with --report-only nothing is run ($1)" >&2
    exit 2
  fi
fi
tests=("$@")
if [[ ${#tests[@]} -eq 0 ]]; then tests=(-L 'unit|oracle|end-to-end'); fi

if ! command -v gcovr >/dev/null; then
  echo "ci/coverage.sh: gcovr is needed (Debian's package gcovr; ci/setup.sh --checks)" >&2
  exit 3
fi

cd "$root"
status=0
if [[ $run == yes ]]; then
  "$root/ci/setup.sh" --tests || exit 3
  cmake --preset coverage >/dev/null || exit 3
  echo "Building with counters"
  cmake --build "$build" || exit 3
  find "$build" -name '*.gcda' -delete
  echo "Running the tests"
  # Counting takes time, so what the tests allow for calls is stretched.
  ctest --test-dir "$build" --no-tests=error --output-on-failure -j"$(nproc)" "${tests[@]}" || status=1
fi

floor() { sed -n "s/^$1 \([0-9.]*\)\$/\1/p" "$root/ci/coverage.floor"; }
lines=$(floor lines)
branches=$(floor branches)
if [[ -z $lines || -z $branches ]]; then
  echo "ci/coverage.sh: ci/coverage.floor has no lines or no branches" >&2
  exit 3
fi
rm -rf "$build/report"
mkdir -p "$build/report"
folder='(contracts|kernels|oracles|reports|audit)'
read_status=0
gcovr --root "$root" --object-directory "$build" "$build" --exclude-throw-branches \
  --exclude-unreachable-branches -j "$(nproc)" \
  --filter "$root/$folder/" \
  --exclude '.*_test\.cc$' --exclude '.*/(testing|end_to_end|properties|fuzz|benchmarks|examples)/' \
  --exclude "$root/kernels/(adapters|mutants)/" \
  --html-details "$build/report/index.html" --html-title "assay: what the tests execute" \
  --txt "$build/report/summary.txt" --json-summary "$build/report/summary.json" --json-summary-pretty \
  --print-summary --fail-under-line "$lines" --fail-under-branch "$branches" >"$build/report/figures.txt" ||
  read_status=$?
cat "$build/report/figures.txt"
# gcovr: 2 too few lines, 4 too few branches, 6 both; all else is a failure of its own, and so is 2
# without a report.
if [[ ! -s $build/report/summary.json ]]; then exit 3; fi
case $read_status in
  0) ;;
  2 | 4 | 6)
    echo "coverage: below the floor ($lines% of the lines, $branches% of the branches)"
    status=1
    ;;
  *) exit 3 ;;
esac
echo "coverage: build/coverage/report/index.html; the files with most lines that nothing executes:"
sed -n 's/^\([a-z_]*\/[^ ]*\)  *\([0-9]*\)  *\([0-9]*\)  *[0-9]*%.*/\1 \2 \3/p' "$build/report/summary.txt" |
  awk '{ printf "%5d of %4d lines: %s\n", $2 - $3, $2, $1 }' | sort -rn | head -n 15
exit "$status"
