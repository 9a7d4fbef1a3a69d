#!/usr/bin/env bash
# Builds everything and runs all tests and checks.
#
#   ci/test.sh [CTEST-OPTION...]     for instance: ci/test.sh -L unit
#
# The checks of the source (ci/checks) are tests as well. Exit status: that of ctest; 3 if the tests
# could not be set up or built.
set -Eeuo pipefail
trap 'exit 3' ERR
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/ci/configure.sh"

"$root/ci/setup.sh" --tests || exit 3
configure_release -DBUILD_TESTING=ON || exit 3
echo "Building everything"
cmake --build "$root/build/release" || exit 3

echo "Running the tests"
cd "$root"
exec ctest --preset release --output-on-failure -j"$(nproc)" "$@"
