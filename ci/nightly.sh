#!/usr/bin/env bash
# What is too long for each change: fuzzing, exhaustive audits, the oracles' certificates, sanitizers
# and faulty kernels, within a budget.
#
#   ci/nightly.sh [--minutes N]     (30)
#
# Builds are not counted. Each stage's log and reports, and summary.md, go to build/nightly. Stages do
# not stop each other, and what does not fit the budget is named as left out: audits are taken up
# again the next night where they ended, and the whole-domain comparisons of casts go round.
#
# In the summary a stage is
#   passed    all of it ran, and found nothing
#   partial   what ran found nothing; what was left out stands beside it
#   FOUND     a refuted claim, a failed test, a difference, a crash of a fuzzer
#   SKIPPED   it could not be run here (no clang, say)
#   FAILED    it broke off
#
# Exit status: 1 something was FOUND; else 3 a stage was SKIPPED or FAILED, or the run was
# interrupted (the summary is there all the same); else 0; 2 bad arguments.
set -Euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/ci/configure.sh"

minutes=30
while [[ $# -gt 0 ]]; do
  case $1 in
    --minutes)
      if [[ ! ${2-} =~ ^[1-9][0-9]{0,4}$ ]]; then echo "ci/nightly.sh: --minutes needs a number from 1 on" >&2; exit 2; fi
      minutes=$2
      shift
      ;;
    *) echo "ci/nightly.sh: unknown argument '$1'; known is: --minutes N" >&2; exit 2 ;;
  esac
  shift
done

cd "$root" || exit 3
out=$root/build/nightly
mkdir -p "$out"
rm -f "$out"/*.log "$out/summary.md"
seed=$((1 + RANDOM * 32768 + RANDOM))
seconds=$((minutes * 60))
assay=build/release/assay
stages=(fuzzing audits certificates sanitizers mutants)
declare -A verdict detail took
for stage in "${stages[@]}"; do verdict[$stage]=SKIPPED detail[$stage]="not reached"; done
child=

summary() {
  local status=0 stage
  {
    echo "# Nightly run"
    echo
    echo "$(git rev-parse --short HEAD 2>/dev/null || echo 'no revision'), $minutes minutes, seed $seed."
    echo
    echo "| stage | outcome | seconds | what |"
    echo "| --- | --- | ---: | --- |"
    for stage in "${stages[@]}"; do
      echo "| $stage | ${verdict[$stage]} | ${took[$stage]:-0} | ${detail[$stage]//|/\\|} |"
    done
    echo
    echo "Logs and reports: \`build/nightly\`. Left out is not passed."
  } >"$out/summary.md.part"
  mv "$out/summary.md.part" "$out/summary.md"
  cat "$out/summary.md"
  for stage in "${stages[@]}"; do
    case ${verdict[$stage]} in
      SKIPPED | FAILED) if [[ $status -eq 0 ]]; then status=3; fi ;;
      FOUND) status=1 ;;
    esac
  done
  return "$status"
}

interrupted() {
  trap '' INT TERM
  if [[ -n $child ]]; then kill -TERM -- "-$child" 2>/dev/null; wait "$child" 2>/dev/null; fi
  echo "Interrupted"
  summary
  local status=$?
  exit "$((status == 1 ? 1 : 3))"
}
trap interrupted INT TERM

# run LOG COMMAND...: in a group of its own, so that an interruption reaches all of it. Sets `status`.
run() {
  local log=$out/$1.log
  shift
  echo "\$ $*" >>"$log"
  setsid "$@" >>"$log" 2>&1 </dev/null &
  child=$!
  status=0
  wait "$child" || status=$?
  child=
}
put() { verdict[$stage]=$1 detail[$stage]=$2; }

fuzzing() {
  if ! command -v clang++ >/dev/null; then put SKIPPED "no clang++: ci/setup.sh --fuzz"; return; fi
  run fuzzing ci/fuzz.sh "$1" --seed $((seed % 100000000 + 1))
  rm -rf "$out/findings"
  if [[ -d build/fuzz/findings ]]; then cp -R build/fuzz/findings "$out/findings"; fi
  case $status in
    0) put passed "nothing found: $(grep -c 'average_exec_per_sec' "$out/fuzzing.log") harnesses" ;;
    1) put FOUND "$(grep -c FINDING "$out/fuzzing.log") findings, see fuzzing.log" ;;
    *) put FAILED "status $status, see fuzzing.log" ;;
  esac
}

audits() {
  local left
  # Another program, contract or machine than last night's: from the start.
  status=2
  if [[ -f $out/audit/audit.checkpoint ]]; then
    run audits "$assay" audit --resume "$out/audit" --time-budget "${1}s" --quiet
    # Status 2: what was audited has changed.
  fi
  if [[ $status -eq 2 ]]; then
    run audits "$assay" audit contracts/reference --effort exhaustive --seed "$seed" --time-budget "${1}s" \
      --out "$out/audit" --quiet
  fi
  left=$(tail -1 "$out/audits.log")
  case $status in
    0) put passed "$left" ;;
    1) put FOUND "$left" ;;
    3)
      if [[ -f $out/audit/audit.checkpoint && $left == INCOMPLETE* ]]; then
        put partial "left out: the undecided ones of $left (the next night goes on)"
      else
        put FAILED "$left"
      fi
      ;;
    *) put FAILED "status $status: $left" ;;
  esac
}

certificates() {
  local program=build/release/oracles/certify_oracle end=$((SECONDS + $1)) cast done_casts=() casts next
  run certificates "$program"
  if [[ $status -eq 1 ]]; then put FOUND "a certificate that MPFR does not give, see certificates.log"; return; fi
  if [[ $status -ne 0 ]]; then put FAILED "status $status, see certificates.log"; return; fi
  # Whole domains take hours: as many casts as there is time for, beginning where it ended last night.
  mapfile -t casts < <(sed -n 's/^\([a-z0-9_]*\): [0-9]* probes: equal.*/\1/p' "$out/certificates.log")
  next=$(cat "$out/next_cast" 2>/dev/null || echo 0)
  for ((i = 0; i < ${#casts[@]} && SECONDS < end; ++i)); do
    cast=${casts[$(((next + i) % ${#casts[@]}))]}
    run certificates timeout $((end - SECONDS + 1)) "$program" --full --only "$cast"
    if [[ $status -eq 1 ]]; then put FOUND "$cast differs from MPFR, see certificates.log"; return; fi
    if [[ $status -eq 124 ]]; then break; fi
    if [[ $status -ne 0 ]]; then put FAILED "$cast: status $status"; return; fi
    done_casts+=("$cast")
  done
  # A cast that does not fit one night's share would stand in the way of all others.
  local past=$((${#done_casts[@]} > 0 ? ${#done_casts[@]} : 1))
  if [[ ${#casts[@]} -gt 0 ]]; then echo $(((next + past) % ${#casts[@]})) >"$out/next_cast"; fi
  if [[ ${#casts[@]} -gt 0 && ${#done_casts[@]} -eq ${#casts[@]} ]]; then
    put passed "all ${#casts[@]} casts over their whole domains"
  else
    put partial "${#casts[@]} certificates equal; over whole domains: ${done_casts[*]:-none}; left out: $((${#casts[@]} - ${#done_casts[@]})) casts"
  fi
}

sanitizers() {
  run sanitizers cmake --preset sanitize
  if [[ $status -ne 0 ]]; then put FAILED "cannot be configured, see sanitizers.log"; return; fi
  run sanitizers cmake --build --preset sanitize
  if [[ $status -ne 0 ]]; then put FAILED "cannot be built, see sanitizers.log"; return; fi
  run sanitizers timeout --signal=INT "$1" ctest --preset sanitize -L unit -j"$(nproc)"
  local passed
  passed=$(grep -E 'tests passed' "$out/sanitizers.log" | tail -1)
  case $status in
    0) put passed "$passed (those labelled unit)" ;;
    124) put partial "left out: the tests after $(grep -cE 'Passed' "$out/sanitizers.log") that passed" ;;
    8) put FOUND "$passed, see sanitizers.log" ;;
    *) put FAILED "status $status, see sanitizers.log" ;;
  esac
  if [[ $status -eq 124 ]] && grep -qE '\*\*\*Failed|\*\*\*Exception' "$out/sanitizers.log"; then
    put FOUND "failed tests, see sanitizers.log"
  fi
}

mutants() {
  if [[ ! -x ci/score.sh ]]; then put SKIPPED "there is no ci/score.sh"; return; fi
  run mutants ci/score.sh --effort exhaustive --time-budget "${1}s" --out "$out/score"
  case $status in
    0) put passed "$(tail -1 "$out/mutants.log")" ;;
    1) put FOUND "$(tail -1 "$out/mutants.log")" ;;
    3)
      # Those that there was no time for are told one by one.
      if grep -qE '^\[[0-9]+/[0-9]+\] .* not run ' "$out/mutants.log" &&
        ! grep -qE '^\[[0-9]+/[0-9]+\] .* failed ' "$out/mutants.log"; then
        put partial "left out: $(grep -cE '^\[[0-9]+/[0-9]+\] .* not run ' "$out/mutants.log") of $(grep -cE '^\[[0-9]+/[0-9]+\] ' "$out/mutants.log") cases"
      else
        put FAILED "broke off: $(tail -1 "$out/mutants.log")"
      fi
      ;;
    *) put FAILED "status $status: $(tail -1 "$out/mutants.log")" ;;
  esac
}

# What several stages need.
stage=audits
built=yes
configure_release -DBUILD_TESTING=ON >"$out/build.log" 2>&1 || built=no
if [[ $built == yes ]]; then
  run build cmake --build build/release --target assay certify_oracle
  if [[ $status -ne 0 ]]; then built=no; fi
fi

# Per cent of the budget.
declare -A share=([fuzzing]=30 [audits]=25 [certificates]=10 [sanitizers]=15 [mutants]=20)
for stage in "${stages[@]}"; do
  if [[ $built == no && ($stage == audits || $stage == certificates) ]]; then
    put FAILED "the build failed, see build.log"
    continue
  fi
  echo "$stage ($((seconds * share[$stage] / 100)) s)"
  start=$SECONDS
  "$stage" $((seconds * share[$stage] / 100))
  took[$stage]=$((SECONDS - start))
  echo "  ${verdict[$stage]}: ${detail[$stage]}"
done
echo
summary
