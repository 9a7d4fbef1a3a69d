#!/usr/bin/env bash
# Builds assay and audits the reference kernels; the reports go to build/audit.
#
#   ci/audit.sh [CONTRACT...] [OPTION...]
#   ci/audit.sh --adapters [OPTION...]
#
# With --adapters, the libraries that there are adapters for are audited instead, each under what its
# documentation promises (contracts/adapters), and compared in one table; see ci/adapters.sh.
#
# All arguments go to `assay audit` as they are. CONTRACTs (files or folders) replace the default,
# contracts/reference; --out replaces build/audit; --resume DIR stands for both. An argument names a contract unless it
# is an option (begins with -) or the value of the option before it (every option but --quiet and
# --help takes one).
#
# Exit status: that of `assay audit`; 3 if it could not be set up or built.
set -Eeuo pipefail
trap 'exit 3' ERR  # 1 would say that a claim is refuted
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/ci/configure.sh"

if [[ ${1-} == --adapters ]]; then
  shift
  source "$root/ci/adapters.sh"
  audit_adapters "$@"
  exit
fi

contracts=no
out=no
value=no
for argument in "$@"; do
  if [[ $value == yes ]]; then
    value=no
    continue
  fi
  case $argument in
    --)
      contracts=yes
      break
      ;;
    --out) out=yes value=yes ;;
    --out=*) out=yes ;;
    --resume) contracts=yes out=yes value=yes ;;
    --resume=*) contracts=yes out=yes ;;
    --quiet | --help | -h | --*=*) ;;
    -*) value=yes ;;
    *) contracts=yes ;;
  esac
done

"$root/ci/setup.sh" || exit 3
# The tests' libraries are not needed here; a folder that is configured with tests stays so.
if [[ $(cached BUILD_TESTING) == ON ]]; then option=""; else option=-DBUILD_TESTING=OFF; fi
configure_release $option || exit 3
echo "Building assay"
cmake --build "$root/build/release" --target assay || exit 3

# Relative to where the caller stands, as any paths among the arguments are.
here() { realpath -m --relative-to="$PWD" "$root/$1"; }
defaults=()
if [[ $contracts == no ]]; then defaults+=("$(here contracts/reference)"); fi
if [[ $out == no ]]; then defaults+=(--out "$(here build/audit)"); fi
program=$root/build/release/assay
echo Running "$(here build/release/assay)" audit "${defaults[@]}" "$@"
exec "$program" audit "${defaults[@]}" "$@"
