#!/usr/bin/env bash
# Tests of the scripts in ci, with stand-ins for everything that they call: no package
# is installed and nothing is built. Each stand-in logs how it was called.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failures=0
export LOG=$box/log

# stand_in NAME BODY: a program of that name in the folder that is all of PATH.
stand_in() {
  rm -f "$box/bin/$1"
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$box/bin/$1"
  chmod +x "$box/bin/$1"
}

# A machine with apt, everything installed, and a root user.
fresh_machine() {
  rm -rf "$box/bin" "$box/tree"
  mkdir -p "$box/bin" "$box/tree/build" "$box/elsewhere"
  cp -R "$root/ci" "$box/tree"
  local tool
  for tool in bash env sed cat realpath dirname mktemp rm mkdir nproc; do
    ln -s "$(command -v "$tool")" "$box/bin/$tool"
  done
  for tool in g++ ninja pkg-config git clang-format rustc sleep; do stand_in "$tool" 'exit 0'; done
  stand_in id 'echo "${FAKE_UID:-0}"'
  stand_in dpkg-query '[[ " ${FAKE_MISSING-} " == *" ${!#} "* ]] || echo installed'
  stand_in apt-cache '[[ -z ${FAKE_UNKNOWN-} ]] || [[ -f $LOG.updated ]]'
  stand_in apt-get '
    echo "apt-get $*" >>"$LOG"
    if [[ $* == *update* ]]; then touch "$LOG.updated"; exit 0; fi
    [[ -z ${FAKE_STALE-} ]] || [[ -f $LOG.updated ]]'
  ln -s "$(command -v touch)" "$box/bin/touch"
  ln -s "$(command -v pwd)" "$box/bin/pwd"
  stand_in cmake '
    echo "cmake $*" >>"$LOG"
    if [[ $1 == --build ]]; then exit "${FAKE_BUILD:-0}"; fi
    mkdir -p build/release
    touch build/release/build.ninja
    { echo "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)"
      [[ $* == *BUILD_TESTING=OFF* ]] && value=OFF || value=ON
      echo "BUILD_TESTING:BOOL=$value"; } >build/release/CMakeCache.txt'
  stand_in ctest 'echo "ctest $*" >>"$LOG"; exit "${FAKE_STATUS:-0}"'
  mkdir -p "$box/tree/build/release"
  printf '#!/usr/bin/env bash\necho "assay $*" >>"$LOG"\nexit "${FAKE_STATUS:-0}"\n' \
    >"$box/tree/build/release/assay"
  chmod +x "$box/tree/build/release/assay"
}

# run SCRIPT [NAME=VALUE...] [-- ARGUMENT...]: sets `status`, `output` and `log`.
run() {
  local script=$1 settings=()
  shift
  while [[ $# -gt 0 && $1 != -- ]]; do
    settings+=("$1")
    shift
  done
  if [[ $# -gt 0 ]]; then shift; fi
  rm -f "$LOG" "$LOG.updated"
  touch "$LOG"
  status=0
  output=$(env -u CXX PATH="$box/bin" "${settings[@]}" "$box/tree/ci/$script" "$@" 2>&1) || status=$?
  log=$(cat "$LOG")
}

# expect WHAT STATUS LOG OUTPUT: LOG and OUTPUT are patterns.
expect() {
  # shellcheck disable=SC2053  # patterns are meant
  if [[ $status -ne $2 || $log != $3 || $output != $4 ]]; then
    printf '%s: exit status %d, calls:\n%s\noutput:\n%s\n\n' "$1" "$status" "$log" "$output"
    failures=$((failures + 1))
  fi
}

# setup.sh -------------------------------------------------------------------------------------

fresh_machine
run setup.sh -- --tests
expect "nothing missing: apt is left alone" 0 "" ""

run setup.sh FAKE_MISSING="libmpfr-dev catch2"
expect "a missing package is installed" 0 "apt-get *install*libmpfr-dev" "*installing: libmpfr-dev"
run setup.sh FAKE_MISSING="libmpfr-dev catch2" -- --tests
expect "tests need more" 0 "apt-get *install*libmpfr-dev catch2" "*"
run setup.sh FAKE_MISSING=libmpfr-dev FAKE_UNKNOWN=1
expect "unknown to apt: lists first" 0 "apt-get*update"$'\n'"apt-get*install*libmpfr-dev" "*lists*"
run setup.sh FAKE_MISSING=libmpfr-dev FAKE_STALE=1
expect "a version that is gone: lists, then again" 0 \
  "apt-get*install*"$'\n'"apt-get*update"$'\n'"apt-get*install*" "*lists*"
run setup.sh FAKE_MISSING=libmpfr-dev FAKE_UID=1000
expect "no rights: says what root has to do" 3 "" "*apt-get install libmpfr-dev*"
stand_in sudo 'echo "sudo $*" >>"$LOG"; if [[ $1 == -n ]]; then exit 0; fi; "$@"'
run setup.sh FAKE_MISSING=libmpfr-dev FAKE_UID=1000
expect "through sudo" 0 "sudo -n true"$'\n'"sudo env*install*"$'\n'"apt-get*install*" "*"
stand_in apt-get 'echo "apt-get $*" >>"$LOG"; echo "no route to host"; exit 100'
run setup.sh FAKE_MISSING=libmpfr-dev
expect "a network that is down: apt's own words" 3 "*" "*no route to host*"
run setup.sh CXX=no-such-compiler
expect "a compiler that is not there" 3 "" "*no-such-compiler*"
fresh_machine
run setup.sh FAKE_MISSING="libeigen3-dev libmpfr-dev" -- --adapters
expect "adapters: what is needed first, then theirs" 0 \
  "apt-get *install*libmpfr-dev"$'\n'"apt-get *install*libeigen3-dev" "*installing: libeigen3-dev"
run setup.sh FAKE_MISSING="libeigen3-dev libfp16-dev"
expect "no adapters unless they are asked for" 0 "" ""
stand_in apt-get 'echo "apt-get $*" >>"$LOG"; [[ $* != *libeigen3-dev* ]]'
run setup.sh FAKE_MISSING="libeigen3-dev libfp16-dev" -- --adapters
expect "a library that cannot be had is a skip" 0 "*libfp16-dev" \
  "*without libeigen3-dev*skipped*installing: libfp16-dev"
stand_in apt-get 'echo "apt-get $*" >>"$LOG"; exit 100'
run setup.sh FAKE_MISSING=libmpfr-dev -- --adapters
expect "but not one that is needed" 3 "*" "*"
fresh_machine
run setup.sh -- --validators
expect "validators: each by itself" 0 \
  "apt-get *install*nodejs"$'\n'"*install*npm"$'\n'"*default-jre-headless"$'\n'"*chromium"$'\n'"*libxml2-utils" "*"
run setup.sh FAKE_MISSING=clang -- --fuzz
expect "fuzz: nothing where there is a compiler of that name" 0 "*install*clang*" "*"
run setup.sh FAKE_MISSING="gcovr" -- --tests --checks
expect "checks and tests together" 0 "apt-get *install*clang-tidy"$'\n'"apt-get *install*gcovr" "*"
stand_in clang++ 'exit 0'
run setup.sh FAKE_MISSING=libclang-rt-14-dev -- --compilers
expect "the other compiler is there, its libraries are not" 0 "apt-get *install*libclang-rt-14-dev" "*"
run setup.sh -- --nonsense
expect "an unknown argument" 2 "" "*--nonsense*"

rm "$box/bin/apt-get" "$box/bin/dpkg-query"
run setup.sh -- --tests
expect "no apt, nothing missing" 0 "" ""
stand_in g++ '[[ $(cat) != *"<mpfr.h>"* ]]'
run setup.sh
expect "no apt, a header missing: name and purpose" 3 "" "*libmpfr-dev*the exact oracle"
stand_in g++ '[[ $(cat) != *"<catch2/catch_test_macros.hpp>"* ]]'
run setup.sh -- --tests
expect "no apt, the other spelling of a header" 0 "" ""
rm "$box/bin/clang-format"
run setup.sh -- --tests
expect "no apt, an optional tool missing" 0 "" "*clang-format*"
rm "$box/bin/cmake"
run setup.sh
expect "no apt, a tool missing" 3 "" "*cmake*configures the build*"

# audit.sh -------------------------------------------------------------------------------------

fresh_machine
cd "$box/tree"
run audit.sh
expect "first run" 0 "cmake --preset release -DBUILD_TESTING=OFF
cmake --build * --target assay
assay audit contracts/reference --out build/audit" "*"
run audit.sh
expect "second run: not configured again" 0 "cmake --build *
assay audit contracts/reference --out build/audit" "*"

# arguments EXPECTED ARGUMENT...
arguments() {
  local expected=$1
  shift
  run audit.sh -- "$@"
  expect "arguments: $*" 0 "*"$'\n'"assay audit $expected" "*"
}
arguments "contracts/reference --out build/audit --effort quick" --effort quick
arguments "contracts/reference --out build/audit --only contracts --quiet" --only contracts --quiet
arguments "contracts/reference --out build/audit --effort=quick --help" --effort=quick --help
arguments "--out build/audit my.fkc.md --effort quick" my.fkc.md --effort quick
arguments "--out build/audit --effort quick my.fkc.md" --effort quick my.fkc.md
arguments "--out build/audit --quiet folder" --quiet folder
arguments "--out build/audit --seed 1 -- my.fkc.md" --seed 1 -- my.fkc.md
arguments "contracts/reference --out mine" --out mine
arguments "contracts/reference --out=mine" --out=mine
arguments "my.fkc.md --out mine" my.fkc.md --out mine
arguments "--resume mine --threads 1" --resume mine --threads 1
arguments "--resume=mine" --resume=mine
cd "$box/elsewhere"
arguments "../tree/contracts/reference --out ../tree/build/audit --seed 7" --seed 7
cd "$box/tree"

run audit.sh FAKE_STATUS=1
expect "the exit status of assay" 1 "*assay audit*" "*"
stand_in realpath 'exit 1'
run audit.sh
expect "a tool that fails is not a refuted claim" 3 "*" "*"
rm "$box/bin/realpath"
ln -s "$(command -v realpath)" "$box/bin/realpath"
run audit.sh FAKE_BUILD=1
expect "a failed build" 3 "cmake --build*" "*"
stand_in clang++ 'exit 0'
printf 'CMAKE_CXX_COMPILER:FILEPATH=%s\n' "$box/bin/g++" >>build/release/CMakeCache.txt
run audit.sh CXX=g++
expect "the same compiler" 0 "cmake --build*" "*"
run audit.sh CXX=clang++
expect "another compiler" 0 "cmake --preset release --fresh -DBUILD_TESTING=OFF"$'\n'"*" "*"
sed -i 's|^CMAKE_HOME_DIRECTORY:INTERNAL=.*|&/moved|' build/release/CMakeCache.txt
run audit.sh
expect "a folder that was moved" 0 "cmake --preset release --fresh*" "*"

# test.sh --------------------------------------------------------------------------------------

run test.sh FAKE_STATUS=8 -- -L unit
expect "tests after an audit" 8 "cmake --preset release -DBUILD_TESTING=ON
cmake --build */build/release
ctest --preset release --output-on-failure -j* -L unit" "*"
run audit.sh
expect "an audit after tests keeps them" 0 "cmake --build *"$'\n'"assay audit*" "*"

# audit.sh --adapters --------------------------------------------------------------------------

# One library that is there, one that was not built, one that this machine cannot run.
cd "$box"
fresh_machine
cd "$box/tree"
mkdir -p "$box/tree/build/release/adapters"
printf 'here\tHere 1.0\t\nabsent\tAbsent\tno such package\nother\tOther\t\n' \
  >"$box/tree/build/release/adapters/list.tsv"
cat >"$box/tree/build/release/assay" <<'PROGRAM'
#!/usr/bin/env bash
echo "assay $*" >>"$LOG"
case "$*" in
  --list-entry-points*other.so)
    echo "assay: other.so: it has no kernels for this machine" >&2
    exit 2
    ;;
  --list-entry-points*) if [[ -n ${FAKE_BROKEN-} ]]; then echo "cannot load it" >&2; exit 2; fi ;;
  audit*)
    while [[ $1 != --out ]]; do shift; done
    mkdir -p "$2"
    echo "{}" >"$2/report.json"
    exit "${FAKE_STATUS:-0}"
    ;;
esac
PROGRAM
run audit.sh -- --adapters --effort quick --out mine
expect "adapters: those that can run are audited, and all are compared" 0 \
  "*assay audit */contracts/adapters/here.fkc.md --kernels */here.so --out */mine/here --quiet --effort quick
assay --list-entry-points */other.so
assay compare */mine/here/report.json --libraries */mine/libraries.tsv --out */mine" "*"
if [[ $(cat mine/libraries.tsv) != $'here\tHere 1.0\t\nabsent\tAbsent\tno such package\n'\
$'other\tOther\tit has no kernels for this machine' ]]; then
  echo "the list of libraries:"
  cat mine/libraries.tsv
  failures=$((failures + 1))
fi
run audit.sh FAKE_STATUS=1 -- --adapters
expect "adapters: a refuted claim" 1 "*assay compare*" "*"
run audit.sh FAKE_BROKEN=1 -- --adapters
expect "adapters: a library that cannot be read is no skip" 3 "*" "*cannot load it*"
run audit.sh FAKE_BUILD=1 -- --adapters
expect "adapters: a failed build" 3 "*cmake --build*" "*"
run audit.sh -- --adapters my.fkc.md
expect "adapters: their contracts are given" 2 "" "*my.fkc.md*"

# fuzz.sh --------------------------------------------------------------------------------------

fresh_machine
ln -s "$(command -v grep)" "$box/bin/grep"
cd "$box/tree"
run fuzz.sh -- --harness nonsense
expect "fuzz: a harness that does not exist" 2 "" "*'nonsense'*importer expression*window*"
run fuzz.sh -- soon
expect "fuzz: no number of seconds" 2 "" "*'soon'*"
run fuzz.sh -- --keep nowhere
expect "fuzz: a finding that is not there" 2 "" "*'nowhere'*"
run fuzz.sh -- 5
expect "fuzz: no clang" 3 "" "*clang++*--fuzz*"

# nightly.sh -----------------------------------------------------------------------------------

# Every stage as it should be; FAKE_... makes one end otherwise.
nightly_machine() {
  fresh_machine
  local tool
  for tool in grep tail setsid mv cp timeout chmod; do ln -s "$(command -v "$tool")" "$box/bin/$tool"; done
  stand_in clang++ 'exit 0'
  stand_in ctest 'echo "100% tests passed"; exit "${FAKE_TESTS:-0}"'
  mkdir -p "$box/tree/build/release/oracles"
  printf '#!/usr/bin/env bash\nif [[ $1 == --full ]]; then exit 0; fi\n%s\n' \
    'echo "f32_to_f16: 1 probes: equal"; exit "${FAKE_CERTIFICATES:-0}"' \
    >"$box/tree/build/release/oracles/certify_oracle"
  printf '#!/usr/bin/env bash\n/bin/sleep "${FAKE_SLEEP:-0}"; exit "${FAKE_FUZZ:-0}"\n' >"$box/tree/ci/fuzz.sh"
  printf '#!/usr/bin/env bash\necho score; exit "${FAKE_SCORE:-0}"\n' >"$box/tree/ci/score.sh"
  printf '#!/usr/bin/env bash\necho "20 claims upheld"; exit "${FAKE_AUDIT:-0}"\n' >"$box/tree/build/release/assay"
  chmod +x "$box/tree/ci"/*.sh "$box/tree/build/release/assay" "$box/tree/build/release/oracles/certify_oracle"
}
nightly_machine
cd "$box/tree"
run nightly.sh -- --minutes soon
expect "nightly: no number" 2 "*" "*--minutes*"
run nightly.sh -- --minutes 1
expect "nightly: all is well" 0 "*" \
  "*| fuzzing | passed |*| audits | passed |*| certificates | passed |*| sanitizers | passed |*| mutants | passed |*"
run nightly.sh FAKE_AUDIT=1 FAKE_TESTS=8 -- --minutes 1
expect "nightly: stages do not stop each other, and findings count" 1 "*" \
  "*| audits | FOUND |*| sanitizers | FOUND |*| mutants | passed |*"
run nightly.sh FAKE_FUZZ=3 -- --minutes 1
expect "nightly: what broke off is no success" 3 "*" "*| fuzzing | FAILED |*"
run nightly.sh FAKE_FUZZ=3 FAKE_SCORE=1 -- --minutes 1
expect "nightly: a finding wins" 1 "*" "*| mutants | FOUND |*"
rm "$box/bin/clang++" "$box/tree/ci/score.sh"
run nightly.sh -- --minutes 1
expect "nightly: what cannot be run is skipped, and no success" 3 "*" "*| fuzzing | SKIPPED |*| mutants | SKIPPED |*"
nightly_machine
cd "$box/tree"
output=$(
  PATH="$box/bin" FAKE_SLEEP=60 setsid bash -c 'trap - INT; exec ci/nightly.sh --minutes 1' 2>&1 &
  leader=$!
  for ((i = 0; i < 100; ++i)); do
    if [[ -f build/nightly/fuzzing.log ]]; then break; fi
    /bin/sleep 0.1
  done
  /bin/sleep 0.5
  kill -TERM "$leader"
  status=0
  wait "$leader" || status=$?
  echo "status $status"
)
status=0
expect "nightly: an interruption leaves a summary" 0 "*" "*Interrupted*| audits | SKIPPED |*not reached*status 3"
# lint.sh --------------------------------------------------------------------------------------

cd "$box"
fresh_machine
cd "$box/tree"
for tool in mv; do ln -s "$(command -v "$tool")" "$box/bin/$tool"; done
run lint.sh
expect "lint: the shipped contracts, in three forms" 0 "cmake --preset*
assay lint contracts/reference contracts/adapters
assay lint --format sarif contracts/reference contracts/adapters
assay lint --format json contracts/reference contracts/adapters" "*"
if [[ ! -f build/lint/lint.sarif || ! -f build/lint/lint.json ]]; then
  echo "lint: no lint.sarif or no lint.json"
  failures=$((failures + 1))
fi
run lint.sh FAKE_STATUS=2 -- mine.fkc.md
expect "lint: the status of assay, other contracts" 2 "*assay lint --format json mine.fkc.md" "*"
run lint.sh FAKE_BUILD=1
expect "lint: a failed build" 3 "cmake --build*" "*"
printf '#!/usr/bin/env bash\n[[ $2 != --format ]]\n' >build/release/assay
run lint.sh
expect "lint: forms that disagree" 3 "*" "*--format sarif ended with status 1, the text with 0*"

# coverage.sh ----------------------------------------------------------------------------------

for tool in find awk sort head; do ln -s "$(command -v "$tool")" "$box/bin/$tool"; done
run coverage.sh
expect "coverage: no gcovr" 3 "" "*gcovr is needed*"
stand_in gcovr '
  echo "gcovr $*" >>"$LOG"
  while [[ $# -gt 0 && -z ${FAKE_NO_REPORT-} ]]; do
    if [[ $1 == --json-summary ]]; then echo "{}" >"$2"; fi
    if [[ $1 == --txt ]]; then echo "audit/a.cc  10  4  40%  1-6" >"$2"; fi
    shift
  done
  exit "${FAKE_GCOVR:-0}"'
mkdir -p build/coverage
run coverage.sh
expect "coverage: built, run, read" 0 "cmake --preset coverage
cmake --build */build/coverage
ctest --test-dir */build/coverage * -L unit|oracle|end-to-end
gcovr *--fail-under-line [0-9]* --fail-under-branch [0-9]*" "*6 of   10 lines: audit/a.cc"
run coverage.sh FAKE_STATUS=8
expect "coverage: a failed test" 1 "*gcovr*" "*"
for few in 2 4 6; do
  run coverage.sh FAKE_GCOVR=$few -- --report-only
  expect "coverage: below the floor" 1 "gcovr*" "*below the floor*"
done
run coverage.sh FAKE_GCOVR=2 FAKE_NO_REPORT=1 -- --report-only
expect "coverage: gcovr failed, which is not below the floor" 3 "gcovr*" "*"
run coverage.sh FAKE_GCOVR=64 -- --report-only
expect "coverage: gcovr failed" 3 "gcovr*" "*"
: >ci/coverage.floor
run coverage.sh -- --report-only
expect "coverage: no floor is no pass" 3 "" "*no lines or no branches*"

# tidy.sh --------------------------------------------------------------------------------------

for tool in grep comm xargs; do ln -s "$(command -v "$tool")" "$box/bin/$tool"; done
run tidy.sh
expect "tidy: no clang-tidy" 3 "" "*clang-tidy 14 is needed*"
stand_in clang-tidy '
  if [[ $1 == --version ]]; then echo "version ${FAKE_VERSION:-14}.0.6"; exit; fi
  echo "clang-tidy ${!#}" >>"$LOG"
  [[ ${!#} != "${FAKE_FAULT-}" ]]'
run tidy.sh FAKE_VERSION=15
expect "tidy: another version" 3 "" "*clang-tidy 14 is needed*"
printf '  "file": "%s/%s"\n' "$box/tree" audit/a.cc "$box/tree" reports/r.cc "$box/tree" ci/other.cc \
  >build/release/compile_commands.json
run tidy.sh -- --jobs 1
expect "tidy: all of ours" 0 "*clang-tidy audit/a.cc
clang-tidy reports/r.cc" "*2 sources*nothing found"
run tidy.sh FAKE_FAULT=audit/a.cc -- --jobs 1
expect "tidy: a finding fails, and the others are looked at" 1 "*clang-tidy reports/r.cc" "*to be repaired*"
run tidy.sh -- --jobs 1 reports/r.cc
expect "tidy: one file" 0 "*clang-tidy reports/r.cc" "*1 sources*"
run tidy.sh -- nowhere.cc
expect "tidy: a file that is not compiled" 2 "*" "*none of these*"
run tidy.sh -- --since
expect "tidy: no revision" 2 "" "*needs a value*"

echo "scripts_test: $failures failures"
[[ $failures -eq 0 ]]
