// Validates SARIF logs with Microsoft's multitool: the rules of the standard and those of GitHub.
//
//   node sarif.js LOG.sarif...
//
// The multitool's exit status is 0 whatever it finds, and it passes over a log that it cannot read
// without a word. So its own results are read, and every log must have got the one warning that is
// due: assay has no site that `informationUri` could name. Exit status: 0 valid, 1 not.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const multitool = require('@microsoft/sarif-multitool');
const dueRule = 'SARIF2005';
const due = 'Warning_ProvideToolnformationUri';
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'assay-sarif-'));
let valid = true;

function fault(log, text) {
  console.log(`${log}: ${text}`);
  valid = false;
}

for (const log of process.argv.slice(2)) {
  const output = path.join(scratch, 'results.sarif');
  const run = spawnSync(
    multitool,
    ['validate', path.resolve(log), '--rule-kind', 'Sarif;Ghas', '--output', output,
     '--log', 'ForceOverwrite', '--quiet'],
    // It is a .NET program; without this it asks for the ICU libraries.
    { encoding: 'utf8', env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' } });
  if (run.error || run.status !== 0) {
    fault(log, `the multitool failed: ${run.error || run.stdout + run.stderr}`);
    continue;
  }
  const results = JSON.parse(fs.readFileSync(output, 'utf8')).runs[0].results || [];
  let read = false;
  for (const result of results) {
    const location = result.locations?.[0]?.physicalLocation?.region?.startLine;
    if (result.ruleId === dueRule && result.message.id === due) {
      read = true;
    } else {
      fault(log, `line ${location}: ${result.level || 'warning'} ${result.ruleId}: ` +
                 `${result.message.id} ${(result.message.arguments || []).join(' ')}`);
    }
  }
  if (!read) fault(log, 'the multitool could not read it');
}
fs.rmSync(scratch, { recursive: true });
process.exit(valid ? 0 : 1);
