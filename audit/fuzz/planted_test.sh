#!/usr/bin/env bash
# Shows that a harness finds faults: each file of a folder is named by a faulty kernel of
# kernels/mutants, and makes the harness refute a claim of it. (Of the real kernels the same files
# refute nothing: that is another test.)
#
#   planted_test.sh REPLAY FOLDER
#
# Exit status: 0 all were found; 1 one was not; 2 there is none.
set -uo pipefail
replay=$1
folder=$(cd "$2" && pwd) || exit 2
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
ulimit -c 0
count=0
missed=0
for file in "$folder"/*; do
  mutant=$(basename "$file")
  count=$((count + 1))
  # By its words: a process that ends for any other reason has found nothing.
  ASSAY_FUZZ_MUTANT=$mutant "$replay" "$file" >out.log 2>&1
  if ! grep -qE '^(REFUTED|NOT CARRIED OUT): .*variant mutant:' out.log; then
    echo "not found: $mutant"
    tail -3 out.log
    missed=$((missed + 1))
  fi
done 2>/dev/null
echo "$((count - missed)) of $count faulty kernels found"
if [[ $count -eq 0 ]]; then exit 2; fi
[[ $missed -eq 0 ]]
