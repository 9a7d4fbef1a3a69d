// Checks pages for accessibility with axe-core in Chromium: light and dark, on a phone and on a desk.
//
//   node axe.js CHROMIUM PAGE.html...
//
// The rules are those of WCAG 2.1 A and AA, and axe's best practices. Exit status: 0 no violation,
// 1 some (each is named with its element), 2 the browser failed.
const path = require('path');
const { pathToFileURL } = require('url');
const { chromium } = require('playwright-core');

const axe = require.resolve('axe-core/axe.min.js');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

async function violationsOf(page) {
  await page.addScriptTag({ path: axe });
  const result = await page.evaluate(
    (values) => globalThis.axe.run(document, { runOnly: { type: 'tag', values } }), tags);
  if (result.passes.length === 0) throw new Error('axe checked nothing');
  return result.violations;
}

async function main([executablePath, ...files]) {
  const browser = await chromium.launch({
    executablePath,
    // Chromium has no sandbox for root.
    args: process.getuid() === 0 ? ['--no-sandbox'] : [],
  });
  let found = 0;
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [360, 1280]) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 800 },
        bypassCSP: true,  // the pages admit no script, and axe is one
      });
      for (const file of files) {
        const page = await context.newPage();
        await page.goto(pathToFileURL(path.resolve(file)).href);
        for (const violation of await violationsOf(page)) {
          for (const node of violation.nodes) {
            ++found;
            console.log(`${file} (${colorScheme}, ${width} px): ${violation.id}: ${violation.help}: ` +
                        node.html);
          }
        }
        await page.close();
      }
      await context.close();
    }
  }
  await browser.close();
  return found === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error) => {
    console.log(String(error));
    process.exit(2);
  });
