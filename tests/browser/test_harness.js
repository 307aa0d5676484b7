/* The checks themselves: a small page in which all is well, and the same with one fault after the other, each of which is noticed. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { check, withBrowser } = require('./checks.js');
const { faultsOf } = require('./screens.js');

const GOOD = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Good</title><style>
body { margin: 0 1rem; background: #fff; color: #222 } svg { display: block } .box { width: 8rem }
</style></head><body><main><h1>Good</h1>
<section id="answer"><p class="ms-key">60.01 N</p><p class="ms-key">2.3 %</p>
<div class="ms-warnings"><p class="ms-warning">Mind the gap</p></div></section>
<form id="ms-switch"><label>Frequency <select><option>Hz</option></select></label></form>
<figure id="featured"><div class="ms-plot"><svg width="300" height="200"><g class="ms-curves"><path d="M50 20H280V150H50Z"/></g>
<text x="50" y="170">0</text><text x="250" y="170">100</text></svg></div><figcaption>A figure</figcaption></figure>
<p class="box">some text</p></main></body></html>
`;

/* what is put in place of what, and the word by which the fault is noticed */
const FAULTS = [
  ['<section id="answer">', '<div style="height: 900px"></div><section id="answer">', /screen.*key number/],
  ['<p class="ms-key">60.01 N</p><p class="ms-key">2.3 %</p>', '', /screen.*0 key numbers/],
  ['<div class="ms-warnings">', '<div class="ms-warnings" style="position: absolute; top: 900px">', /screen.*warning/],
  ['<svg width="300" height="200">', '<svg width="300" height="200" style="margin-top: 600px">', /screen.*plotting area/],
  ['<form id="ms-switch">', '<form>', /screen.*no unit switch/],
  ['<p class="box">', '<p class="box" style="width: 3000px">', /text.*3016 wide/],
  ['<p class="box">some text', '<p class="box" style="overflow: hidden; white-space: nowrap">some text that is too long', /text.*cut at the side/],
  ['<p class="box">some text', '<p class="box" style="overflow: hidden; height: 1em">some text that needs more lines', /text.*cut below/],
  ['<p class="box">', '<p class="box" style="position: fixed; left: -3rem">', /text.*outside of the window/],
  ['<text x="250"', '<text x="290"', /text.*outside of its drawing/],
  ['<text x="250"', '<text x="55"', /labels.*"0" and "100"/],
  ['<text x="250"', '<text fill="#999" x="250"', /contrast.*"100"/],
  ['</body>', '<script>console.log("hello")</script></body>', /messages.*console: hello/],
  ['</body>', '<script>nothing.at.all()</script></body>', /messages.*exception.*nothing is not defined/],
  ['</body>', '<img alt="none" src="other.png"></body>', /messages.*request: .*other.png/],
  ['<p class="box">', '<p class="box" style="color: #999">', /axe.*color-contrast/],
  ['<label>Frequency <select>', '<label></label><select>', /axe.*select-name/],
  ['lang="en"', '', /axe.*html-has-lang/],
];

withBrowser(async ({ temp, browser }) => {
  const file = path.join(temp, 'page.html');
  const look = async (text) => {
    fs.writeFileSync(file, text);
    const page = await browser.open(file);
    const faults = Object.entries(await faultsOf(page, file)).flatMap(([kind, found]) => found.map((fault) => `${kind}: ${fault}`));
    await page.close();
    return faults;
  };
  check('nothing is wrong with a good page', await look(GOOD));
  for (const [good, bad, word] of FAULTS) {
    const faults = await look(GOOD.replace(good, bad));
    check(`noticed: ${word.source}`, faults.some((fault) => word.test(fault)) ? [] : ['not noticed', ...faults]);
  }
});
