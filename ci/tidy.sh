#!/usr/bin/env bash
# clang-tidy, with the checks of .clang-tidy, over our own sources; every finding is an error.
#
#   ci/tidy.sh [--since REVISION] [--jobs N] [FILE...]
#
#   --since REVISION   only what is different since then: changed sources, and those that include a
#                      changed header, directly or not
#   --jobs N           so many at a time (default: as many as there are processors)
#   FILE...            only these sources
#
# All sources take about 25 minutes of one processor, so this is no part of ci/test.sh: the workflow of
# pull requests runs it with --since. Versions of clang-tidy differ in what they find; 14, that of
# Debian 12, has the say, and CLANG_TIDY, when set, names the program.
#
# Exit status: 0 nothing found, 1 something, 2 bad arguments, 3 it could not be run.
set -Eeuo pipefail
trap 'exit 3' ERR
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/ci/configure.sh"

since=
jobs=$(nproc)
files=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --since | --jobs)
      if [[ $# -lt 2 || -z $2 ]]; then
        echo "ci/tidy.sh: $1 needs a value" >&2
        exit 2
      fi
      if [[ $1 == --since ]]; then since=$2; else jobs=$2; fi
      shift
      ;;
    -*)
      echo "ci/tidy.sh: unknown argument '$1'; known are: --since, --jobs" >&2
      exit 2
      ;;
    *) files+=("$(realpath -m --relative-to="$root" "$1")") ;;
  esac
  shift
done

program=${CLANG_TIDY:-clang-tidy}
if ! command -v "$program" >/dev/null || ! "$program" --version | grep -q 'version 14\.'; then
  echo "ci/tidy.sh: clang-tidy 14 is needed (Debian's package clang-tidy; ci/setup.sh --checks)" >&2
  exit 3
fi
cd "$root"
if [[ -n $since ]] && ! git rev-parse --verify --quiet "$since^{commit}" >/dev/null; then
  echo "ci/tidy.sh: there is no revision '$since' here" >&2
  exit 2
fi

"$root/ci/setup.sh" --tests || exit 3
configure_release -DBUILD_TESTING=ON >&2 || exit 3
cmake --build build/release --target assay_build_info >/dev/null || exit 3

# What is compiled, of our folders.
mapfile -t known < <(sed -n "s|^ *\"file\": \"$root/\(.*\)\",\{0,1\}\$|\1|p" \
  build/release/compile_commands.json | grep -E '^(contracts|kernels|oracles|reports|audit)/' | sort -u)
if [[ ${#known[@]} -eq 0 ]]; then
  echo "ci/tidy.sh: build/release/compile_commands.json names no source of ours" >&2
  exit 3
fi

if [[ -n $since ]]; then
  changed=$(git diff --name-only --diff-filter=d "$since" -- && git ls-files --others --exclude-standard)
  if grep -qE '^(\.clang-tidy|ci/tidy\.sh)$' <<<"$changed"; then
    files=("${known[@]}")  # other checks than before
  else
    # Whoever includes what is changed, until there is nobody new.
    while true; do
      includes=$(sed -n 's/.*/#include "&"/p' <<<"$(grep -E '\.(h|inc)$' <<<"$changed" || true)")
      wider=$(printf '%s\n' "$changed"
        if [[ -n $includes ]]; then
          git grep -lF -f <(printf '%s\n' "$includes") -- '*.h' '*.inc' '*.cc' '*.c' || true
        fi)
      wider=$(sort -u <<<"$wider")
      if [[ $wider == "$changed" ]]; then break; fi
      changed=$wider
    done
    mapfile -t files <<<"$changed"
  fi
  if [[ ${#files[@]} -eq 0 ]]; then files=(.); fi
fi
if [[ -n $since || ${#files[@]} -gt 0 ]]; then
  mapfile -t chosen < <(comm -12 <(printf '%s\n' "${files[@]}" | sort -u) <(printf '%s\n' "${known[@]}"))
else
  chosen=("${known[@]}")
fi
if [[ ${#chosen[@]} -eq 0 ]]; then
  if [[ -z $since ]]; then
    echo "ci/tidy.sh: none of these is compiled: ${files[*]}" >&2
    exit 2
  fi
  echo "tidy: no source is different since $since"
  exit 0
fi

begun=$SECONDS
status=0
# Warning options of g++ are not all known to clang, and that is no fault.
printf '%s\0' "${chosen[@]}" |
  xargs -0 -n 1 -P "$jobs" "$program" -p build/release --quiet \
    --extra-arg=-Wno-unknown-warning-option 2> >(grep -vE '^[0-9]+ warnings? ' >&2 || true) || status=$?
echo "tidy: ${#chosen[@]} sources in $((SECONDS - begun)) s"
case $status in
  0) echo "tidy: nothing found" ;;
  123)
    echo "tidy: to be repaired, or silenced where it stands with NOLINT(check) and the reason"
    exit 1
    ;;
  *) exit 3 ;;
esac
