/* Checks that print TAP, and the frame of a test that opens a report in Chromium and looks at it.

     test('three_mass', async (t) => { ... });

   looks at the run that tests/cli/test_three_mass.sh has kept, or at that in the folder MICROSLIP_RUN.

   t.folder     of the run; t.table(name) reads tables/NAME.csv
   t.open()     the report in a new tab, 1366 x 768, light
   t.browser
   t.of(name)   the same of the run in a folder of that folder */
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { start } = require('./chromium.js');

const build = path.resolve(process.env.BUILD_DIR ?? path.join(__dirname, '../../build'));
const MOST_SHOWN = 12; /* faults of one check */

let tests = 0, failed = 0;
/* faults: a list, empty if all is well */
function check(text, faults) {
  const all = [faults].flat().filter((fault) => fault !== '' && fault !== undefined && fault !== null);
  console.log(`${all.length ? 'not ok' : 'ok'} ${++tests} - ${text}`);
  all.slice(0, MOST_SHOWN).forEach((fault) => console.log(`# ${String(fault).replace(/\n/g, '\n# ')}`));
  if (all.length > MOST_SHOWN) console.log(`# and ${all.length - MOST_SHOWN} more`);
  if (all.length) failed++;
}
const same = (text, value, reference) => check(text,
  value === reference ? [] : [`value     ${value}`, `reference ${reference}`]);

/* Rows of a CSV file as lists of texts; the first is the heading. */
function readCsv(file) {
  const rows = [[]];
  let cell = '', quoted = false;
  const text = fs.readFileSync(file, 'utf8');
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') {
      quoted = true;
    } else if (c === ',' || c === '\n') {
      rows.at(-1).push(cell);
      cell = '';
      if (c === '\n') rows.push([]);
    } else {
      cell += c;
    }
  }
  rows.pop();
  return rows;
}

function run(command, ...argument) {
  const { status, stdout, stderr, error } = spawnSync(command, argument, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${command} ${argument.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

/* Helpers of the browser write for a moment after it has ended. */
async function remove(folder) {
  for (let left = 50; left > 0; left--) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      await new Promise((done) => { setTimeout(done, 100); });
    }
  }
}

/* look({ temp, browser }): temp is a folder that goes. */
async function withBrowser(look) {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'microslip-browser-'));
  let browser;
  try {
    browser = await start(temp);
    await look({ temp, browser });
  } catch (error) {
    check('the test ends', error.stack);
  }
  await browser?.stop();
  await remove(temp);
  console.log(`1..${tests}`);
  process.exitCode = failed || !tests ? 1 : 0;
}

function runIn(folder, temp, browser) {
  const report = path.join(folder, 'report.html');
  return {
    temp, folder, report, browser,
    table: (of) => readCsv(path.join(folder, 'tables', `${of}.csv`)),
    open: (...size) => browser.open(report, ...size),
    of: (name) => runIn(path.join(folder, name), temp, browser),
  };
}

const test = (name, look) => withBrowser(({ temp, browser }) =>
  look(runIn(path.resolve(process.env.MICROSLIP_RUN ?? path.join(build, 'runs', name)), temp, browser)));

module.exports = { build, check, same, run, test, withBrowser };
