#!/usr/bin/env bash
# Drives the readers, the formulas and the kernels with mutated bytes (libFuzzer), under
# AddressSanitizer and UndefinedBehaviorSanitizer. Needs clang with its runtime libraries.
#
#   ci/fuzz.sh [SECONDS] [--harness NAME]... [--seed N]
#       SECONDS (600) are shared by all harnesses, or those named. N is chosen and printed.
#   ci/fuzz.sh --keep FILE [--harness NAME]
#       Makes a finding a regression case: minimised, named by its contents, in the harness's folder
#       `regressions`, which ctest runs from then on ("fuzz: NAME"). It fails until its cause is mended.
#   ci/fuzz.sh --minimise [--harness NAME]...
#       Replaces the inputs under version control by the fewest of them, and of those learned here, that
#       reach as much.
#
# Harnesses: importer (contracts), expression (formulas and conditions), report (`assay diff`), token
# (`assay repro`), shard (`assay merge`), cast and window (all kernels against the oracles: a finding
# there is a refuted claim, with the token that repeats it).
#
# What is learned stays in build/fuzz/learned/NAME; what breaks something goes to
# build/fuzz/findings/NAME, and what it printed to build/fuzz/findings/NAME.log.
#
# Exit status: 0 nothing found; 1 a finding, or one to be kept that does not fail (it is kept); 2 bad
# arguments; 3 something could not be built or run.
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
say() { echo "ci/fuzz.sh: $*" >&2; }

# One harness a row: its folder, and the options that suit its inputs.
table() {
  cat <<'TABLE'
importer   contracts/fkc/fuzz -max_len=4096 -entropic=0 -dict=contracts/fkc/fuzz/fkc.dict
expression contracts/fkc/fuzz -max_len=600 -dict=contracts/fkc/fuzz/fkc.dict
report     reports/fuzz       -max_len=16384
token      audit/fuzz         -max_len=4096
shard      audit/fuzz         -max_len=400
cast       audit/fuzz         -max_len=200 -use_value_profile=1
window     audit/fuzz         -max_len=120
TABLE
}
known() { table | while read -r name _; do echo "$name"; done; }
folder_of() { table | while read -r name folder _; do if [[ $name == "$1" ]]; then echo "$folder"; fi; done; }
options_of() {
  table | while read -r name _ options; do
    if [[ $name == "$1" ]]; then echo "${options//-dict=/-dict=$root/}"; fi
  done
}

seconds=600 seed='' action=run file='' names=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --harness | --seed | --keep)
      if [[ $# -lt 2 ]]; then say "$1 needs a value"; exit 2; fi
      case $1 in
        --harness)
          if ! known | grep -qx -- "$2"; then
            all=$(known)
          say "no harness '$2'; there are: ${all//$'\n'/ }"
            exit 2
          fi
          names+=("$2")
          ;;
        --seed) seed=$2 ;;
        --keep) action=keep file=$2 ;;
      esac
      shift
      ;;
    --minimise) action=minimise ;;
    *[!0-9]* | '') say "unknown argument '$1' (see the head of this script)"; exit 2 ;;
    *) seconds=$1 ;;
  esac
  shift
done
if [[ -n $seed && ! $seed =~ ^[1-9][0-9]{0,8}$ ]]; then say "--seed: a number from 1 on, of 9 digits at most"; exit 2; fi
if [[ $seconds == 0 ]]; then say "no time to run in"; exit 2; fi

if [[ $action == keep ]]; then
  if [[ ! -f $file ]]; then say "there is no file '$file'"; exit 2; fi
  file=$(realpath "$file")
  # Findings lie in a folder of their harness's name.
  if [[ ${#names[@]} -eq 0 ]]; then
    names=("$(basename "$(dirname "$file")")")
    if ! known | grep -qx -- "${names[0]}"; then
      say "whose finding is '$file'? Say so with --harness"
      exit 2
    fi
  fi
elif [[ ${#names[@]} -eq 0 ]]; then
  mapfile -t names < <(known)
fi

cd "$root"
if ! command -v clang++ >/dev/null; then say "there is no clang++ here; ci/setup.sh --fuzz installs it"; exit 3; fi
cmake --preset fuzz >/dev/null || exit 3
targets=()
for name in "${names[@]}"; do targets+=("${name}_fuzzer"); done
cmake --build build/fuzz --target "${targets[@]}" || exit 3
findings=$root/build/fuzz/findings
mkdir -p "$findings"
# Strings and vectors cross into yaml-cpp, which is not instrumented: bounds within their capacity
# cannot be told there.
export ASAN_OPTIONS=detect_container_overflow=0:malloc_context_size=5:dedup_token_length=3
export UBSAN_OPTIONS=print_stacktrace=1

program_of() { echo "$root/build/fuzz/$(folder_of "$1")/${1}_fuzzer"; }
# What an input breaks, in one line that does not change with addresses; empty if it breaks nothing.
complaint() {  # harness, file
  (cd "$findings" && timeout 120 "$(program_of "$1")" -timeout=30 "$2" 2>&1 || true) |
    grep -m1 -E '^(REFUTED|NOT CARRIED OUT|broken promise)|runtime error:|^SUMMARY|ERROR: libFuzzer' || true
}

keep() {
  local name=${names[0]} first again small hash target
  first=$(complaint "$name" "$file")
  small=$(mktemp)
  cp "$file" "$small"
  if [[ -n $first ]]; then
    say "it fails: $first"
    (cd "$findings" && timeout 200 "$(program_of "$name")" -minimize_crash=1 -max_total_time=60 -timeout=30 \
      -exact_artifact_path="$small.min" "$file" >/dev/null 2>&1) || true
    # A smaller input that breaks something else is another finding.
    if [[ -s $small.min ]]; then
      again=$(complaint "$name" "$small.min")
      if [[ ${again%%,*} == "${first%%,*}" ]]; then cp "$small.min" "$small"; fi
    fi
    rm -f "$small.min"
  else
    say "it does not fail now: kept as it is"
  fi
  hash=$(sha1sum "$small")
  target=$(folder_of "$name")/regressions/$name/${hash:0:16}
  mkdir -p "$(dirname "$target")"
  cp "$small" "$target"
  rm -f "$small"
  echo "$(stat -c %s "$file") bytes became $(stat -c %s "$target"): $target"
  if [[ -f build/release/CTestTestfile.cmake ]]; then
    ctest --test-dir build/release -N -V -R "^fuzz: $name\$" | grep -E "Test command|Test +#" || true
  fi
  echo "ctest runs it with the others of its folder: ctest --preset release -R '^fuzz: $name\$'"
  echo "Mend the cause, then: git add $target && git commit"
  if [[ -z $first ]]; then exit 1; fi
}

minimise() {
  local name corpus fewest
  for name in "${names[@]}"; do
    corpus=$(folder_of "$name")/corpus/$name
    fewest=$(mktemp -d)
    mkdir -p "build/fuzz/learned/$name"
    # Without counters, so that inputs which reach the same code more often are not kept apart.
    # shellcheck disable=SC2046
    "$(program_of "$name")" $(options_of "$name") -use_value_profile=0 -use_counters=0 -set_cover_merge=1 "$fewest" \
      "$corpus" "build/fuzz/learned/$name" >"$findings/$name.merge.log" 2>&1 || exit 3
    find "$corpus" -type f -delete
    cp "$fewest"/* "$corpus"
    rm -rf "$fewest"
    echo "$name: $(find "$corpus" -type f | wc -l) files, $(du -sb "$corpus" | cut -f1) bytes"
  done
}

# One harness; sets `found` or `failed`.
run_one() {
  local name=$1 share=$2 kept learned log status=0 before after
  kept=$root/$(folder_of "$name")
  learned=$root/build/fuzz/learned/$name
  log=$findings/$name.log
  mkdir -p "$learned" "$findings/$name" "$kept/corpus/$name" "$kept/regressions/$name"
  local seeds=("$kept/corpus/$name" "$kept/regressions/$name")
  if [[ -d $kept/planted/$name ]]; then seeds+=("$kept/planted/$name"); fi
  if [[ $name == importer ]]; then seeds+=("$root/contracts/broken" "$root/contracts/reference"); fi
  before=$(find "$findings/$name" -type f | sort)
  echo "$name: $share s, seed $seed"
  # shellcheck disable=SC2046
  (cd "$findings" && exec timeout --kill-after=30 $((share + 120)) "$(program_of "$name")" "$learned" "${seeds[@]}" \
    $(options_of "$name") -seed="$seed" -max_total_time="$share" -timeout=20 -rss_limit_mb=2048 \
    -artifact_prefix="$findings/$name/" -print_final_stats=1) >"$log" 2>&1 || status=$?
  grep -E 'average_exec_per_sec|number_of_executed_units' "$log" | sed "s/^stat::/  /" || true
  after=$(find "$findings/$name" -type f | sort)
  local artifact
  while IFS= read -r artifact; do
    if [[ -z $artifact || $(basename "$artifact") == slow-unit-* ]]; then continue; fi
    found=yes
    echo "  FINDING $artifact"
    grep -E -A12 -m1 '^(REFUTED|NOT CARRIED OUT|broken promise)|runtime error:|ERROR: ' "$log" | sed 's/^/    /' || true
    echo "    again:  (cd build/fuzz/findings && $(program_of "$name") $artifact)"
    echo "    keep:   ci/fuzz.sh --keep $artifact"
  done < <(comm -13 <(echo "$before") <(echo "$after"))
  if [[ $status -ne 0 && $before == "$after" ]]; then
    failed=yes
    say "$name ended with status $status, and left no input:"
    tail -5 "$log" >&2
  fi
}

case $action in
  keep) keep; exit 0 ;;
  minimise) minimise; exit 0 ;;
esac
if [[ -z $seed ]]; then seed=$((1 + RANDOM * 32768 % 100000000 + RANDOM)); fi
found=no failed=no
share=$((seconds / ${#names[@]}))
for name in "${names[@]}"; do run_one "$name" $((share > 0 ? share : 1)); done
echo "The same again: ci/fuzz.sh $seconds --seed $seed$(printf ' --harness %s' "${names[@]}") (from what is learned so far)"
if [[ $found == yes ]]; then exit 1; fi
if [[ $failed == yes ]]; then exit 3; fi
echo "Nothing found"
