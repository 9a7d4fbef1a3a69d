#!/usr/bin/env bash
# The manual page and the completions against what the program itself says in its help: every
# command and every option is in each, and each is read without complaint by what it is for.
#
#   ci/checks/command_line_test.sh PROGRAM man|bash|zsh|fish
#
# Exit status: 0 as it should be, 1 not, 77 what reads the form is not installed.
set -euo pipefail
export LC_ALL=C
program=$1
form=$2
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failures=0

fail() {
  echo "$form: $*"
  failures=$((failures + 1))
}

# need COMMAND: skips the test where it is not there.
need() {
  if ! command -v "$1" >/dev/null; then
    echo "$form: skipped: there is no $1"
    exit 77
  fi
}

# The program's commands, and a command's options, as help shows them. "" stands for no command.
commands() { "$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p'; }
options() {
  "$program" ${1:+"$1"} --help | grep -oE '^  (-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+'
}

# same_words WHAT EXPECTED ACTUAL: the same lines, in whatever order.
same_words() {
  if ! diff <(sort -u <<<"$2") <(sort -u <<<"$3") >"$box/diff"; then
    fail "$1: not what the help says:"
    cat "$box/diff"
  fi
}

"$program" --generate "$form" >"$box/$form"
all=$(commands)
if [[ $(wc -w <<<"$all") -lt 5 ]]; then fail "the help shows no commands"; fi
for command in "" $all; do
  if [[ -z $(options "$command") ]]; then fail "the help of '$command' shows no options"; fi
done

# The manual page ------------------------------------------------------------------------------

check_man() {
  need groff
  local command option section
  groff -man -ww -b -Tascii -P-cbou "$box/man" >"$box/page" 2>"$box/complaints"
  if [[ -s $box/complaints ]]; then fail "groff complains:"; cat "$box/complaints"; fi
  if command -v mandoc >/dev/null; then
    # There is no date, so that building twice gives the same page.
    mandoc -Tlint -Wwarning "$box/man" | grep -v 'missing date' >"$box/complaints" || true
    if [[ -s $box/complaints ]]; then fail "mandoc complains:"; cat "$box/complaints"; fi
  fi
  for command in $all; do
    section=$(sed -n "/^   assay $command\$/,/^   assay /p" "$box/page")
    if [[ -z $section ]]; then fail "no section about $command"; fi
    for option in $(options "$command"); do
      grep -qE -- "$option( |,|\$)" <<<"$section" || fail "$command: no $option"
    done
  done
  section=$(sed -n '/^OPTIONS/,/^[A-Z]/p' "$box/page")
  for option in $(options ""); do
    grep -qE -- "$option( |,|\$)" <<<"$section" || fail "no $option"
  done
  for command in list prepare check; do
    grep -qx "   assay ctest $command" "$box/page" || fail "no section about ctest $command"
  done
  if [[ $(sed -n '/^EXIT STATUS/,/^ENVIRONMENT/p' "$box/page" | grep -cE '^ +[0-3] ') -ne 4 ]]; then
    fail "the exit statuses are not four"
  fi
}

# bash -----------------------------------------------------------------------------------------

# offered WORD...: what bash would offer for the last of these words.
offered() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _assay
  printf '%s\n' "${COMPREPLY[@]}"
}

check_bash() {
  local command
  bash -n "$box/bash" || fail "bash cannot read it"
  # shellcheck disable=SC1091  # written above
  source "$box/bash"
  complete -p assay | grep -q -- '-F _assay' || fail "nothing completes 'assay'"
  same_words "commands" "$all" "$(offered assay '')"
  same_words "options" "$(options "")" "$(offered assay -- | grep -- '^--')"
  for command in $all; do
    same_words "$command" "$(options "$command")" "$(offered assay "$command" -- | grep -- '^--')"
  done
  same_words "a choice" "quick" "$(offered assay audit --effort q)"
  same_words "a choice behind =" "exhaustive" "$(offered assay audit --effort = ex)"
  same_words "all choices behind =" $'text\njson\nsarif' "$(offered assay lint --format =)"
  same_words "a list" $'markdown' "$(offered assay audit --format mark)"
  same_words "a list's second" $'markdown,json' "$(offered assay audit --format markdown,js)"
  mkdir "$box/here" "$box/here/folder"
  touch "$box/here/casts.fkc.md" "$box/here/with blank.fkc.md"
  cd "$box/here"
  same_words "contracts" $'casts.fkc.md\nfolder\nwith blank.fkc.md' "$(offered assay audit '')"
  same_words "folders" "folder" "$(offered assay audit --out '')"
  same_words "no words for a number" "" "$(offered assay audit --seed '')"
  same_words "no hidden command" "" "$(offered assay ctes)"
}

# zsh ------------------------------------------------------------------------------------------

# The specifications that its completion function is given once `$1` is typed.
zsh_specifications() {
  zsh -f -c '
    _arguments() { print -rl -- "$@"; state=argument; line=($typed); return 1 }
    typed=$1
    source "$2"' zsh "$1" "$box/zsh"
}

check_zsh() {
  local command option outside
  need zsh
  zsh -f -n "$box/zsh" || fail "zsh cannot read it"
  outside=$(zsh_specifications "")
  same_words "options" "$(options "")" "$(grep -oE -- '^\*?--[a-z-]+' <<<"$outside" | tr -d '*')"
  for command in $all; do
    same_words "$command" "$(options "$command")" \
      "$(zsh_specifications "$command" | tail -n +"$(($(wc -l <<<"$outside") + 1))" |
        grep -oE -- '^\*?--[a-z-]+' | tr -d '*')"
  done
  same_words "commands" "$all" "$(zsh -f -c '
    _arguments() { state=command; return 1 }
    _describe() { print -rl -- "${(@)commands%%:*}" }
    source "$1"' zsh "$box/zsh")"
}

# fish -----------------------------------------------------------------------------------------

# fish_offers TEXT: what fish would offer at its end.
fish_offers() { fish -N -c 'source $argv[1]; complete -C $argv[2]' "$box/fish" "$1" | cut -f1; }

check_fish() {
  local command
  need fish
  export HOME=$box XDG_CONFIG_HOME=$box XDG_DATA_HOME=$box
  fish -N -n "$box/fish" || fail "fish cannot read it"
  same_words "commands" "$all" "$(fish_offers 'assay ')"
  same_words "options" "$(options "")" "$(fish_offers 'assay --')"
  for command in $all; do
    same_words "$command" "$(options "$command")" "$(fish_offers "assay $command --")"
  done
  same_words "a choice" "quick" "$(fish_offers 'assay audit --effort q')"
  same_words "a list's second" "markdown,json" "$(fish_offers 'assay audit --format markdown,js')"
  mkdir "$box/here" "$box/here/folder"
  touch "$box/here/casts.fkc.md"
  cd "$box/here"
  same_words "contracts" $'casts.fkc.md\nfolder/' "$(fish_offers 'assay audit ')"
  same_words "folders" "folder/" "$(fish_offers 'assay audit --out ')"
}

"check_$form"
echo "$form: $failures faults"
[[ $failures -eq 0 ]]
