/* The first screens of reports, for docs/reports:

     node pictures.js RUN NAME      RUN/report.html as NAME-laptop.png and NAME-phone.png
     node pictures.js               the five reports there, from the runs that their tests have kept in BUILD_DIR/runs */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { build, withBrowser } = require('./checks.js');

const KEPT = { 'three-mass': 'three_mass', 'repeated-assemblies': 'scatter', 'four-bolt-plate': 'four_bolt_plate', ministack: 'ministack',
  'hammer-calibration': 'hammer_calibration' };

async function take(browser, run, name) {
  for (const [device, width, height] of [['laptop', 1366, 768], ['phone', 390, 844]]) {
    const page = await browser.open(path.join(run, 'report.html'), width, height);
    await page.picture(`${name}-${device}.png`);
    await page.close();
  }
}

const [run, name] = process.argv.slice(2);
withBrowser(async ({ browser }) => {
  if (run) return take(browser, run, name);
  for (const [example, kept] of Object.entries(KEPT)) {
    const folder = path.join(build, 'runs', kept);
    if (!fs.existsSync(folder)) throw new Error(`no ${folder}: run the test cli.${kept} or cli.fem.${kept} first`);
    await take(browser, folder, path.join(__dirname, '../../docs/reports', `after-${example}`));
  }
});
