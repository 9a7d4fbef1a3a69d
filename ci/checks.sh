#!/usr/bin/env bash
# The checks of the source that need no build, and their own tests. One that is skipped has not passed.
#
#   ci/checks.sh
#
# ci/test.sh runs them as well, and counts those apart that are skipped.
# Exit status: 0 all passed, 1 one failed or was skipped.
set -uo pipefail
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")/checks" && pwd)
failed=0
for check in layers layers_test format format_test workflows workflows_test scripts_test; do
  "$checks/$check.sh"
  status=$?
  if [[ $status -ne 0 ]]; then
    echo "ci/checks.sh: $check: exit status $status"
    failed=1
  fi
done
exit "$failed"
