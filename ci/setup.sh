#!/usr/bin/env bash
# Makes sure that what the build needs is installed.
#
#   ci/setup.sh             tools and libraries for the `assay` program
#   ci/setup.sh --tests     the same, and those of the tests and checks
#   ci/setup.sh --adapters  the same as the first, and the libraries that adapters are for, as far as they
#                           can be had: one that is missing is an adapter less, and no error
#   ci/setup.sh --validators  the same as the first, and what ci/validate_reports.sh runs, as far as it can be
#                           had: a tool that is missing is a skipped check, and no error
#   ci/setup.sh --benchmarks  the same as the first, and what ci/bench.sh needs, as far as it can be had:
#                           without it the benchmarks are skipped
#   ci/setup.sh --fuzz      the same as the first, and what ci/fuzz.sh needs, as far as it can be had:
#                           without it the fuzzers are skipped
#   ci/setup.sh --checks    the same as the first, and what ci/tidy.sh and ci/coverage.sh need
#   ci/setup.sh --compilers  the same as the first, and the other compiler
#
# The last two of these install as far as it can be had, too: what needs them says so where they are missing.
#
# Where apt exists, missing packages are installed: as root, or through sudo. With nothing missing
# apt is not called and no rights are needed. Elsewhere nothing is installed; what is missing is
# listed with its purpose. CXX, when set, names the compiler; otherwise g++ (apt) or c++.
#
# Exit status: 0 everything is there, 2 bad arguments, 3 something is missing.
set -euo pipefail

say() { echo "ci/setup.sh: $*" >&2; }

tests=no
extras=  # tiers of which as much is wanted as can be had
only=  # for this script's own use: --only PACKAGE installs that one
while [[ $# -gt 0 ]]; do
  case $1 in
    --tests) tests=yes ;;
    --adapters | --validators | --benchmarks | --fuzz | --checks | --compilers) extras+=" ${1#--}" ;;
    --only) only=${2-}; shift ;;
    *) say "unknown argument '$1'; known are: --tests, --adapters, --validators, --benchmarks, --fuzz, --checks, --compilers"; exit 2 ;;
  esac
  shift
done

# One requirement a row: when it is needed, a command or a header, the Debian package, the purpose.
requirements() {
  cat <<'TABLE'
build tool   cmake                   cmake                 configures the build (3.25 or later)
build tool   ninja                   ninja-build           runs the build
build tool   pkg-config              pkg-config            finds MPFR and xxHash
build tool   git                     git                   the revision that reports name
build header mpfr.h                  libmpfr-dev           MPFR 4: the exact oracle
build header yaml-cpp/yaml.h         libyaml-cpp-dev       yaml-cpp 0.7 or later: reads contracts
build header hwy/highway.h           libhwy-dev            Highway 1.0 or later: the SIMD kernels
build header CLI/CLI.hpp             libcli11-dev          CLI11 2.1 or later: the command line
build header fmt/format.h            libfmt-dev            fmt 9 or later: text
build header nlohmann/json.hpp       nlohmann-json3-dev    JSON for Modern C++ 3.11 or later: reports
build header xxhash.h                libxxhash-dev         xxHash 0.8: digests of results
build header dlpack/dlpack.h         libdlpack-dev         DLPack: tensors handed to kernels
build header rapidcheck.h            librapidcheck-dev     RapidCheck: geometries of probes, and property tests
tests header catch2/catch_test_macros.hpp|catch2/catch.hpp catch2 Catch2 2.13 or 3: the tests
tests header valijson/validator.hpp  libvalijson-dev       valijson: checks reports against their schema
tests tool   clang-format            clang-format          the check of the source format
tests tool   rustc                   rustc                 the example of a kernel in Rust
adapters header eigen3/Eigen/Core    libeigen3-dev         Eigen: the adapter of its conversions
adapters header fp16.h               libfp16-dev           FP16: the adapter of its conversions
adapters header oneapi/dnnl/dnnl.h   libdnnl-dev           oneDNN: the adapter of its operations
benchmarks header benchmark/benchmark.h libbenchmark-dev Google Benchmark: the table of speeds
fuzz tool    clang++                 clang                 clang with libFuzzer: the fuzzers
fuzz tool    llvm-symbolizer         llvm                  names in what the sanitizers say
checks   tool   clang-tidy           clang-tidy            14: ci/tidy.sh
checks   tool   gcovr                gcovr                 5.2 or later: ci/coverage.sh
compilers tool  clang++              clang                 14 or later: the other compiler
compilers header sanitizer/asan_interface.h libclang-rt-14-dev its sanitizers and its fuzzer
validators tool node                 nodejs                Node 18 or later: most of the validators
validators tool npm                  npm                   installs the validators
validators tool java                 default-jre-headless  the check of HTML
validators tool chromium             chromium              the check of the pages' accessibility
validators tool xmllint              libxml2-utils         the check of JUnit XML
TABLE
}

have_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

installed() {  # a Debian package
  [[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

compiles() {  # any of the headers, given as a|b, is found by the compiler
  local header
  for header in ${1//|/ }; do
    if $compiler -std=c++20 -E -x c++ - <<<"#include <$header>" >/dev/null 2>&1; then return 0; fi
  done
  return 1
}

# Debian knows its packages; elsewhere the compiler is asked for the headers.
present() {  # kind, name, package
  if [[ $1 == tool ]]; then
    command -v "$2" >/dev/null
  elif have_apt; then
    installed "$3"
  else
    compiles "$2"
  fi
}

missing_packages=()
missing_lines=()
missing_tool=no
miss() {  # package, purpose
  missing_packages+=("$1")
  missing_lines+=("$(printf '  %-20s %s' "$1" "$2")")
}

# The compiler comes first: it is what finds the headers where there is no apt.
compiler=${CXX:-}
if [[ -n $compiler ]]; then
  if ! command -v "${compiler%% *}" >/dev/null; then
    say "CXX names '$compiler', which is not there"
    exit 3
  fi
else
  for compiler in g++ c++ clang++ ""; do
    if [[ -z $compiler ]] || command -v "$compiler" >/dev/null; then break; fi
  done
  if [[ -z $compiler ]]; then
    missing_tool=yes
    miss g++ "a C++20 compiler: g++ 12 or later, or clang++ 14 or later"
  fi
fi

if [[ -n $extras ]]; then
  # What is needed first, and then one package after the other, so that one that cannot be had takes no
  # other with it.
  again=(bash "${BASH_SOURCE[0]}")
  if [[ $tests == yes ]]; then "${again[@]}" --tests; else "${again[@]}"; fi || exit
  while read -r tier kind name package purpose; do
    if [[ "$extras " != *" $tier "* ]] || present "$kind" "$name" "$package"; then continue; fi
    "${again[@]}" --only "$package" </dev/null || say "without $package, skipped: $purpose"
  done < <(requirements)
  exit 0
fi

while read -r tier kind name package purpose; do
  if [[ -n $only ]]; then
    if [[ $package != "$only" ]]; then continue; fi
  elif [[ $tier != build && ! ( $tier == tests && $tests == yes ) ]]; then
    continue
  fi
  if present "$kind" "$name" "$package"; then continue; fi
  if [[ $tier == build && $kind == tool ]]; then missing_tool=yes; fi
  miss "$package" "$purpose"
done < <(requirements)

if [[ ${#missing_packages[@]} -eq 0 ]]; then exit 0; fi

if ! have_apt; then
  say "there is no apt here, so please install (named as Debian does):"
  printf '%s\n' "${missing_lines[@]}" >&2
  # An optional tool may stay away: its check says that it was skipped.
  if [[ $missing_tool == no && "${missing_packages[*]}" == clang-format ]]; then exit 0; fi
  exit 3
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
    as_root=(sudo)
  else
    say "not root, and sudo cannot be used; please have installed, as root:"
    say "  apt-get install ${missing_packages[*]}"
    exit 3
  fi
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 </dev/null
}
# Tries a few times, since networks fail now and then; shows what apt said about the last attempt.
patiently() {
  local attempt
  for attempt in 1 2 3; do
    if "$@"; then return 0; fi
    say "attempt $attempt failed: $*"
    if [[ $attempt -lt 3 ]]; then sleep $((attempt * 5)); fi
  done
  cat "$log" >&2
  return 1
}
# Package lists are fetched when they do not know a package, or know a version that is gone.
update() {
  say "fetching the package lists"
  patiently apt update
}
install() { apt install --no-install-recommends "${missing_packages[@]}"; }

say "installing: ${missing_packages[*]}"
if ! apt-cache show "${missing_packages[@]}" >/dev/null 2>&1; then
  update || { say "apt-get update failed"; exit 3; }
  patiently install || { say "apt-get install failed"; exit 3; }
elif ! install; then
  update || { say "apt-get update failed"; exit 3; }
  patiently install || { say "apt-get install failed"; exit 3; }
fi
