#!/usr/bin/env bash
# Drives the contract importer with mutated documents under AddressSanitizer and
# UndefinedBehaviorSanitizer.
#
#   ci/fuzz.sh [SECONDS] [LIBFUZZER-OPTION...]     (600)
#
# It starts from contracts/broken and contracts/reference and keeps what it learns in build/fuzz/corpus. An
# input that breaks something is left in build/fuzz as crash-*, timeout-* or oom-*: it becomes a
# regression test (contracts/fkc/hostile_test.cc). Needs clang with its runtime libraries.
#
# Exit status: 0 nothing found; 3 could not be built; otherwise libFuzzer's (77 for a finding).
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
seconds=${1:-600}
shift || true

cd "$root"
{ cmake --preset fuzz && cmake --build --preset fuzz; } || exit 3
mkdir -p build/fuzz/corpus
cd build/fuzz
# Strings and vectors cross into yaml-cpp, which is not instrumented: bounds within their capacity
# cannot be told there.
export ASAN_OPTIONS=detect_container_overflow=0:malloc_context_size=5
exec contracts/fkc/fuzz/importer_fuzzer corpus "$root/contracts/broken" "$root/contracts/reference" \
  -dict="$root/contracts/fkc/fuzz/fkc.dict" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
  -rss_limit_mb=2048 -entropic=0 -print_final_stats=1 "$@"
