# Sourced by audit.sh: `ci/audit.sh --adapters [OPTION...]`. Expects `root`, the source folder, and
# configure.sh.
#
# Every adapter that was built, and that has kernels for this machine, is audited under its contract
# in contracts/adapters. The reports go to build/audit-adapters (--out replaces it), a folder for each
# library; comparison.md there is the table of all, with those that were skipped and why. Options go to
# `assay audit`, beginning with --only GLOB and the like; contracts cannot be given.
#
# Exit status: 1 a claim is refuted, else that of the first audit that was not successful; 3 if something
# could not be set up or built.
audit_adapters() {
  local out=$root/build/audit-adapters options=() value=no argument
  while [[ $# -gt 0 ]]; do
    argument=$1
    shift
    if [[ $value == yes ]]; then
      value=no
    elif [[ $argument == --out && $# -gt 0 ]]; then
      out=$(realpath -m "$1")
      shift
      continue
    elif [[ $argument == --out=* ]]; then
      out=$(realpath -m "${argument#--out=}")
      continue
    else
      case $argument in
        --quiet | --*=*) ;;
        -*) value=yes ;;
        *)
          echo "ci/audit.sh: with --adapters the contracts are given ($argument)" >&2
          exit 2
          ;;
      esac
    fi
    options+=("$argument")
  done

  "$root/ci/setup.sh" --adapters || exit 3
  if [[ $(cached BUILD_TESTING) == ON ]]; then configure_release; else
    configure_release -DBUILD_TESTING=OFF
  fi || exit 3
  # Once more in any case: a library may have come, or gone, since.
  (cd "$root" && cmake --preset release >/dev/null) || exit 3
  echo "Building assay and the adapters"
  cmake --build "$root/build/release" --target assay assay_adapters || exit 3

  local program=$root/build/release/assay built=$root/build/release/adapters
  local name description reason found reports=() worst=0 status
  mkdir -p "$out" || exit 3
  : >"$out/libraries.tsv"
  # Threads of OpenMP that wait for work would keep the audit's own processes from theirs.
  export OMP_WAIT_POLICY=passive
  trap 'exit 3' INT TERM  # else the next audit would begin
  while IFS=$'\t' read -r name description reason; do
    rm -f "$out/$name/report.json"  # of another run
    if [[ -z $reason ]]; then
      found=$("$program" --list-entry-points "$built/$name.so" 2>&1) || case $found in
        *"it has no kernels for this machine"*) reason="it has no kernels for this machine" ;;
        *)
          echo "$found" >&2
          exit 3
          ;;
      esac
    fi
    if [[ -z $reason ]]; then
      echo "Auditing $name: $description"
      status=0
      found=$("$program" audit "$root/contracts/adapters/$name.fkc.md" --kernels "$built/$name.so" \
        --out "$out/$name" --quiet "${options[@]}" 2>&1 </dev/null) || status=$?
      echo "  $found"
      if [[ $status -eq 2 && $found == *"matches --"* ]]; then
        reason="nothing of it was asked for"
      elif [[ $status -eq 1 || $worst -eq 0 ]]; then
        worst=$status
      fi
      if [[ -f $out/$name/report.json ]]; then reports+=("$out/$name/report.json"); fi
    fi
    printf '%s\t%s\t%s\n' "$name" "$description" "$reason" >>"$out/libraries.tsv"
  done <"$built/list.tsv"
  if [[ ${#reports[@]} -eq 0 ]]; then
    echo "ci/audit.sh: no adapter could be audited" >&2
    exit $((worst > 0 ? worst : 3))
  fi
  "$program" compare "${reports[@]}" --libraries "$out/libraries.tsv" --out "$out" || exit 3
  exit "$worst"
}
