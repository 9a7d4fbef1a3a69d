#!/bin/sh
# Whether every C++ file is formatted as .clang-format says.
#
#   ci/checks/format.sh [FILE...]    default: all tracked .h, .cc and .inc files
#
# Versions of clang-format differ in details, so one of them has the say: 14, that of Debian 12.
# CLANG_FORMAT, when set, names the program. Exit status: 0 formatted, 1 not (each place is shown),
# 77 skipped, for a reason that is printed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

program=${CLANG_FORMAT:-clang-format}
if ! command -v "$program" >/dev/null; then
  echo "format: SKIPPED: there is no $program here"
  exit 77
fi
case $("$program" --version) in
  *"version 14."*) ;;
  *)
    echo "format: SKIPPED: this is $("$program" --version), and the format is that of version 14"
    exit 77
    ;;
esac

cd "$root"
if [ $# -eq 0 ]; then
  files=$(git ls-files '*.h' '*.cc' '*.inc' 2>/dev/null) || files=""
  if [ -z "$files" ]; then
    echo "format: SKIPPED: git lists no files here"
    exit 77
  fi
  # shellcheck disable=SC2086  # our paths have no blanks
  set -- $files
fi
if "$program" --style=file --dry-run -Werror "$@"; then
  echo "format: $# files as .clang-format says"
else
  echo "format: to repair: clang-format -i FILE..."
  exit 1
fi
