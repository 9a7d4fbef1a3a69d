#!/usr/bin/env bash
# A stranger's project: assay is installed, moved to another folder, and found from there by a
# project that knows nothing else of it; then the verdicts of that project's tests, one by one.
#
#   ci/stranger/stranger_test.sh BUILD
#
# BUILD is a folder in which all of assay is built. Exit status: 0 as it should be, 1 not.
set -euo pipefail
export LC_ALL=C
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failures=0

fail() {
  echo "FAULT: $*"
  failures=$((failures + 1))
}

# expect_status N COMMAND...: what the command prints is in $box/log.
expect_status() {
  local due=$1 status=0
  shift
  "$@" >"$box/log" 2>&1 || status=$?
  if [[ $status -ne $due ]]; then
    fail "status $status instead of $due: $*"
    tail -n 40 "$box/log"
  fi
}

expect_in_log() {
  # Messages of CMake are broken into lines, and ctest numbers those of a test.
  if ! sed 's/^[0-9]*: //' "$box/log" | tr -s ' \n' ' ' | grep -qF -- "$1"; then
    fail "no '$1' in:"
    tail -n 20 "$box/log"
  fi
}

expect_same() {  # WHAT EXPECTED ACTUAL
  if ! diff "$2" "$3"; then fail "$1 (above: < due, > there)"; fi
}

# configure FOLDER SOURCE [OPTION...]
configure() {
  local folder=$1 source=$2
  shift 2
  cmake -S "$source" -B "$folder" -Dassay_ROOT="$prefix" -DCMAKE_BUILD_TYPE=Release "$@"
}

# The names of a run's tests that ended so ("run": passed), from ctest's JUnit file.
names() {  # STATUS FILE
  sed -n "s/.*<testcase name=\"\([^\"]*\)\".* status=\"$1\".*/\1/p" "$2" | sort
}

# What is installed ----------------------------------------------------------------------------

expect_status 0 cmake --install "$build" --prefix "$box/first"
prefix="$box/another place"
mv "$box/first" "$prefix"
# Whatever the system calls its folder of libraries, and whatever this build's type is.
(cd "$prefix" && find . -type f) |
  sed 's|^\./||; s|^lib/[^/]*-linux-gnu/|lib/|; s|^lib64/|lib/|; s|Targets-[a-z]*\.|Targets-release.|' |
  sort >"$box/installed"
expect_same "what is installed" "$here/installed.txt" "$box/installed"
expect_status 0 "$prefix/bin/assay" --version
if grep -rqF -e "$box/first" -e "$(dirname "$(dirname "$here")")" "$prefix"/lib*; then
  fail "the package has paths of the folder it was made in:"
  grep -rF -e "$box/first" -e "$(dirname "$(dirname "$here")")" "$prefix"/lib*
fi

# The README shows this project, and not one that used to work.
sed -n '/^```cmake$/,/^```$/p' "$here/../../README.md" | sed '1d;$d' >"$box/readme"
expect_same "the README's example" "$here/CMakeLists.txt" "$box/readme"

# The project: the right kernel's tests pass, and exactly the wrong one's wrong claims fail -----

project="$box/a project"
cp -R "$here" "$project"
expect_status 0 configure "$box/a build" "$project"
expect_status 8 ctest --test-dir "$box/a build" -R "not built"
expect_in_log "narrowing_claims: claims (not built)"
expect_status 0 cmake --build "$box/a build"
expect_status 8 ctest --test-dir "$box/a build" --output-junit "$box/junit.xml"
names fail "$box/junit.xml" >"$box/failed"
names run "$box/junit.xml" >"$box/passed"
names notrun "$box/junit.xml" >"$box/skipped"
for outcome in failed passed skipped; do
  expect_same "tests that $outcome" "$here/expected_$outcome.txt" "$box/$outcome"
done
expect_status 0 ctest --test-dir "$box/a build" -L precision -N
expect_in_log "Total Tests: $(cat "$here"/expected_*.txt | wc -l)"

# One test alone runs the audit first, and says why it fails.
rm -r "$box/a build/narrowing_claims-audit"
expect_status 8 ctest --test-dir "$box/a build" -V -R "narrow_cut / rounding / plain"
expect_in_log "narrow_cut / rounding / plain: refuted"
expect_in_log "repeat with: assay audit"

# Other ways to say it -------------------------------------------------------------------------

expect_status 0 configure "$box/further" "$here/further" -G "Ninja Multi-Config" \
  -DCONTRACTS="$project" -DLIBRARY="$box/a build/libnarrowing.so"
expect_status 0 cmake --build "$box/further" --config Debug
expect_status 0 ctest --test-dir "$box/further" -C Debug -L one -V \
  -R '^narrow_rounded / rounding / plain$'
expect_in_log "100% tests passed, 0 tests failed out of 2"
if [[ ! -f $box/further/reports/Debug/report.json ]]; then fail "no report in OUT"; fi
# What is not built for a configuration is missed there.
expect_status 8 ctest --test-dir "$box/further" -C Release -L one
expect_in_log "bare: claims (not built)"
# What a time budget leaves out has no verdict.
expect_status 8 ctest --test-dir "$box/further" -C Debug -V \
  -R '^hasty: narrow_rounded / rounding / plain$'
expect_in_log "narrow_rounded / rounding / plain: undecided"

# What has changed since the tests were listed --------------------------------------------------

# A claim more: not tested until it is listed, so nothing may pass.
sed -i 's/^  signed_zero: preserved/&\n  subnormals: preserved/' "$project/narrowing.fkc.md"
expect_status 8 ctest --test-dir "$box/a build" -V -R "narrow_rounded / rounding / plain"
expect_in_log "build the target narrowing_claims again"
expect_status 0 cmake --build "$box/a build"
expect_status 0 ctest --test-dir "$box/a build" -R "narrow_rounded / subnormals / plain"

# A kernel that the library has not: its test fails, and the others are judged.
sed -i 's/"narrowing::cut"/"narrowing::cat"/' "$project/narrowing.c"
expect_status 0 cmake --build "$box/a build"
expect_status 8 ctest --test-dir "$box/a build" -V -R "narrow_cut"
expect_in_log "no kernel is registered under the entry point 'narrowing::cut'"
expect_status 0 ctest --test-dir "$box/a build" -R "narrow_rounded / rounding"

# A kernel that crashes is its own tests' failure only.
sed -i 's/"narrowing::cat"/"narrowing::cut"/; s/to\[i\] = .*: bits >> 16);/*(volatile int *)8 = 1;/' \
  "$project/narrowing.c"
expect_status 0 cmake --build "$box/a build"
expect_status 8 ctest --test-dir "$box/a build" -V -R "narrow_cut / rounding / plain"
expect_in_log "narrow_cut / rounding / plain: error"
expect_status 0 ctest --test-dir "$box/a build" -R "narrow_rounded / rounding"

# A faulty contract ends the build, with the place.
sed -i 's/^  rounding: nearest_even/  rounding: upwards/' "$project/narrowing.fkc.md"
status=0
cmake --build "$box/a build" >"$box/log" 2>&1 || status=$?
if [[ $status -eq 0 ]]; then fail "a faulty contract was built"; fi
expect_in_log "narrowing.fkc.md:"
expect_in_log "error["

# Arguments that mean nothing -------------------------------------------------------------------

# refused TEXT ARGUMENT...: an error of CMake with this text.
refused() {
  local text=$1 arguments
  shift
  arguments=$(printf '%s;' "$@")
  expect_status 1 configure "$box/faulty" "$here/faulty" -DARGUMENTS="${arguments%;}"
  expect_in_log "assay_add_tests("
  expect_in_log "$text"
}
refused "CONTRACT is missing" claims KERNELS kernels
refused "KERNELS is missing" claims CONTRACT good.fkc.md
refused "there is no" claims CONTRACT missing.fkc.md KERNELS kernels
refused "no .fkc.md file is in" claims CONTRACT empty KERNELS kernels
refused "kernals is neither a target" claims CONTRACT good.fkc.md KERNELS kernals
refused "is no shared library, but: STATIC_LIBRARY" \
  claims CONTRACT good.fkc.md KERNELS archive
refused "exclude each other" claims CONTRACT good.fkc.md KERNELS kernels BUILT_IN
refused "EFFORT is quick, standard or exhaustive, not some" \
  claims CONTRACT good.fkc.md KERNELS kernels EFFORT some
refused "TIMEOUT is a whole number, not soon" \
  claims CONTRACT good.fkc.md KERNELS kernels TIMEOUT soon
refused "THREADS is at least 1" claims CONTRACT good.fkc.md KERNELS kernels THREADS 0
refused "unknown arguments: KERNEL" claims KERNEL kernels CONTRACT good.fkc.md BUILT_IN
refused "no value after: ONLY" claims CONTRACT good.fkc.md KERNELS kernels ONLY
refused "there is a target of this name already" kernels CONTRACT good.fkc.md KERNELS kernels
refused "the name becomes a target's" "two words" CONTRACT good.fkc.md KERNELS kernels

# Without the header that kernels include, the package says so.
expect_status 1 configure "$box/without" "$here" -DASSAY_DLPACK_INCLUDE_DIR=
expect_in_log "dlpack/dlpack.h is missing (Debian: libdlpack-dev)"

echo "$failures faults"
[[ $failures -eq 0 ]]
