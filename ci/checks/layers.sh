#!/bin/sh
# The folders' rule of who may include whom, read off the #include lines.
#
#   ci/checks/layers.sh [ROOT]    ROOT: the source folder (default: this one)
#
#   contracts                     includes nothing of ours but contracts
#   kernels, oracles, reports     include themselves and contracts
#   audit                         includes all of them
#   yaml-cpp                      only in contracts
#   Highway (hwy/)                only in kernels
#   MPFR and GMP                  only in oracles/mpfr_real.h
#   RapidCheck                    only in audit
#   kernels/mutants and what belongs to tests: only in tests
#
# Folders named examples hold what users write, outside of this source folder: not looked at.
# Tests are the *_test.cc files and all that is in folders named testing, end_to_end, properties, fuzz or score.
#
# Every quoted include is written from the source folder on, so that its folder can be read.
# Exit status: 0 the rule is kept, 1 it is broken (each fault with file and line), 2 nothing to check.
set -eu
root=${1:-$(dirname "$0")/../..}
cd "$root"

files=$(find contracts kernels oracles reports audit -type f -not -path '*/examples/*' \
  \( -name '*.h' -o -name '*.cc' -o -name '*.c' -o -name '*.inc' -o -name '*.in' \) | sort)
if [ -z "$files" ]; then
  echo "layers: no sources under $root" >&2
  exit 2
fi

# shellcheck disable=SC2086  # our paths have no blanks
awk '
  function fault(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why
    ++faults
  }
  # Highway includes the named file again for each target: an include in all but name.
  /^[ \t]*#[ \t]*include/ || /^[ \t]*#[ \t]*define[ \t]+HWY_TARGET_INCLUDE/ {
    line = $0
    if (match(line, /[<"][^>"]*[>"]/) == 0) {
      fault("an include whose name cannot be read")
      next
    }
    quoted = substr(line, RSTART, 1) == "\""
    name = substr(line, RSTART + 1, RLENGTH - 2)
    ++includes

    split(FILENAME, here, "/")
    split(name, there, "/")
    from = here[1]
    to = there[1]
    ours = to ~ /^(contracts|kernels|oracles|reports|audit)$/
    test = FILENAME ~ /_test\.cc$/ || FILENAME ~ /\/(testing|end_to_end|properties|fuzz|score)\//

    if (quoted && !ours) fault("\"" name "\" does not start with one of our folders")
    if (name ~ /(^|\/)\.\.?\//) fault("\"" name "\" is relative")
    if (ours && to != from && to != "contracts" && from != "audit")
      fault(from " must not include " name)
    if (ours && to == "audit" && from != "audit") fault("only audit includes audit: " name)

    if (to == "yaml-cpp" && from != "contracts") fault("only contracts include yaml-cpp")
    if (to == "hwy" && from != "kernels") fault("only kernels include Highway")
    if (name ~ /^(mpfr|gmp|mpf2mpfr)[a-z]*\.h$/ && FILENAME != "oracles/mpfr_real.h")
      fault("only oracles/mpfr_real.h includes " name)
    if ((to == "rapidcheck" || to == "rapidcheck.h") && from != "audit")
      fault("only audit includes RapidCheck")
    if (name ~ /^kernels\/mutants\// && !test && FILENAME !~ /^kernels\/mutants\//)
      fault("only tests include " name)
    if (ours && name ~ /\/(testing|end_to_end|properties|score)\// && !test) fault("only tests include " name)
  }
  END {
    printf "layers: %d includes in %d files: %d faults\n", includes, ARGC - 1, faults
    exit faults > 0
  }
' $files
