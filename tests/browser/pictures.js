/* usage: node pictures.js RUN NAME: the first screen of RUN/report.html as NAME-laptop.png and NAME-phone.png, for docs/reports */
'use strict';
const path = require('node:path');
const { withBrowser } = require('./checks.js');

const [run, name] = process.argv.slice(2);
withBrowser(async ({ browser }) => {
  for (const [device, width, height] of [['laptop', 1366, 768], ['phone', 390, 844]]) {
    const page = await browser.open(path.join(run, 'report.html'), width, height);
    await page.picture(`${name}-${device}.png`);
    await page.close();
  }
});
