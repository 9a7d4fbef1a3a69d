#!/usr/bin/env bash
# Builds the benchmarks and runs them: a table of ratios, each of what was run in turns within this
# run, with its target and the absolute figures beside it.
#
#   ci/bench.sh [--check] [--json FILE] [--only GLOB]... [--list]
#
#   --check      exit status 1 when a target is missed: for a nightly run. Never a test: the time that
#                something takes is no property of the source
#   --json FILE  the same figures for tracking, written aside and renamed
#   --only GLOB  the rows whose names match: 'sweep.*', 'boundary.*', 'kernel.*', 'guard.*', 'growth.*';
#                'program.*' and 'audit.*' run the program itself and take minutes
#   --list       the names of the rows
#
# Exit status: 0; 1 with --check, when a target is missed; 2 bad arguments; 3 could not be set up, built
# or run; 77 skipped: Google Benchmark cannot be had.
set -Eeuo pipefail
trap 'exit 3' ERR
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/ci/configure.sh"

"$root/ci/setup.sh" --benchmarks || exit 3
if [[ $(cached BUILD_TESTING) == ON ]]; then option=""; else option=-DBUILD_TESTING=OFF; fi
configure_release $option || exit 3
# CMake looked for the library when it configured, and would not look again by itself.
if [[ $(cached benchmark_DIR) != /* ]]; then
  (cd "$root" && cmake --preset release >/dev/null) || exit 3
fi
if [[ $(cached benchmark_DIR) != /* ]]; then
  echo "SKIPPED: the benchmarks (no Google Benchmark: libbenchmark-dev)"
  exit 77
fi
echo "Building the benchmarks"
cmake --build "$root/build/release" --target benchmarks || exit 3
exec "$root/build/release/audit/benchmarks/benchmarks" "$@"
