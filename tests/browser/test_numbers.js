/* Rounding and units have the same rules in C and in the script of a page: random numbers in every choice of the switch, as the
   script shows them and as C has written them for that choice (number_pages.c). */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { build, check, run, withBrowser } = require('./checks.js');

/* "hz,q,g@u2,si" as the state of the page */
function stateOf(words) {
  const [frequency, damping, motion, units] = words.split(','), [amplitude, sensor] = motion.split('@');
  return { frequency, damping, amplitude, units, ...(sensor ? { sensor: Number(sensor.at(-1)) - 1 } : {}) };
}

/* ---- in the page ---- */

/* Texts that are not those of the page that C has written; how many are compared. */
function compareTexts(state, html) {
  for (const [key, value] of Object.entries(state)) msDisplay.set(key, value);
  const other = new DOMParser().parseFromString(html, 'text/html'), faults = [];
  let n = 0;
  for (const what of ['thead th', 'tbody td', '.ms-value', '.ms-same', '.ms-key dt']) {
    const own = [...document.querySelectorAll(what)], expected = [...other.querySelectorAll(what)];
    if (own.length !== expected.length || !own.length) faults.push(`${what}: ${own.length}, in C ${expected.length}`);
    own.forEach((node, i) => {
      const text = node.textContent, wanted = expected[i]?.textContent;
      if (text !== wanted) faults.push(`${what} "${text}", in C "${wanted}": ${JSON.stringify({ ...node.dataset })}`);
    });
    n += own.length;
  }
  return { faults: faults.slice(0, 20), n };
}

/* Curves of the figure: a list for each panel of [title of x, of y, x, y, ...] */
function readCurves() {
  return msFigures.begin(document.querySelector('.ms-figure')).panels.map((panel) => {
    const value = (axis, t) => axis.toValue(t);
    return { titles: [panel.x.title(0), panel.y.title(0)],
      points: panel.series.flatMap((s) => Array.from(s.x, (x, i) => [value(panel.x, x), value(panel.y, s.y[i])])) };
  });
}

/* ---- the figure ---- */

const NEAR = 1e-8; /* a page has nine digits of each value */

function compareCurves(panels, csv) {
  const [head, ...rows] = csv.trim().split('\n').map((line) => line.split(',').map((cell) => cell.replace(/^"|"$/g, '')));
  const faults = [];
  panels.forEach(({ titles, points }, p) => {
    const own = rows.filter((row) => row[0] === String(p));
    const at = [head.indexOf(titles[0]), head.lastIndexOf(titles[1])]; /* columns of x, then of y */
    if (at.includes(-1)) {
      faults.push(`panel ${p}: axes "${titles.join('", "')}", in C ${head.slice(2).join()}`);
      return;
    }
    if (own.length !== points.length) faults.push(`panel ${p}: ${points.length} points, in C ${own.length}`);
    own.forEach((row, i) => at.forEach((k, axis) => {
      const wanted = Number(row[k]), value = points[i]?.[axis];
      if (row[k] === '' || !(Math.abs(value - wanted) <= NEAR * Math.abs(wanted))) faults.push(`panel ${p}, ${titles[axis]}: ${value}, in C ${row[k]}`);
    }));
  });
  return faults;
}

withBrowser(async ({ temp, browser }) => {
  const choices = run(path.join(build, 'tests/number_pages'), temp).trim().split('\n');
  const body = (file) => fs.readFileSync(file, 'utf8').replace(/<(script|style|svg)[^]*?<\/\1>/g, '');
  for (const set of new Set(choices.map((line) => line[0]))) {
    const page = await browser.open(path.join(temp, set, '0.html'));
    await page.evaluate(() => { document.querySelector('main').style.display = 'none'; }); /* texts need no layout */
    const texts = [], curves = [], of = choices.filter((line) => line[0] === set).map((line) => line.slice(2));
    let n = 0;
    for (const [k, words] of of.entries()) {
      const found = await page.evaluate(compareTexts, stateOf(words), body(path.join(temp, set, `${k}.html`)));
      texts.push(...found.faults.map((fault) => `${words}: ${fault}`));
      const csv = fs.readFileSync(path.join(temp, set, String(k), 'figure-1.csv'), 'utf8');
      curves.push(...compareCurves(await page.evaluate(readCurves), csv).map((fault) => `${words}: ${fault}`));
      n = found.n;
    }
    check(`set ${set}: ${n} texts are those of C in ${of.length} choices`, texts);
    check(`set ${set}: curves, too`, curves);
    check(`set ${set}: nothing is complained of`, page.events.filter((event) => !/^request: file:.*\/0.html$/.test(event)));
    await page.close();
  }
  check('every choice', new Set(choices.map((line) => line.slice(2))).size === 60 ? [] : `${choices.length} lines`);
});
