#!/usr/bin/env bash
# Audits kernels with one planted fault each, and correct ones that differ where the contracts permit
# it, and says how many were refuted under the right claim, and whether any was that must not be.
#
#   ci/score.sh [--effort quick|standard|exhaustive] [--only GLOB]... [--seed N] [--time-budget TIME]
#               [--out DIR] [--list] [--write-floor]
#
# The default is effort standard and the folder of the reports, build/report: score.md and score.json.
# A run is compared with audit/score/floor.txt, which says what each case must come to; --write-floor
# writes that anew. Exit status: 0; 1 below the floor, or a false alarm; 2 bad arguments; 3 could not be
# built or run to the end.
set -Eeuo pipefail
trap 'exit 3' ERR
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/ci/configure.sh"

"$root/ci/setup.sh" --tests || exit 3
configure_release -DBUILD_TESTING=ON || exit 3
echo "Building the score"
cmake --build "$root/build/release" --target score || exit 3
exec "$root/build/release/audit/score/score" --processes "$(nproc)" --out "$root/build/report" "$@"
