/* Key numbers, facts and running text under the switch of units: the numbers are those of summary.json, converted and rounded; a
   number with a unit in a caption, a label, a title or a legend follows, too. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { check } = require('./checks.js');
const { convert, isNear, plainUnit } = require('./quantities.js');

/* ---- in the page ---- */

function readValues() {
  const text = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll('sup').forEach((sup) => { sup.replaceWith(`^${sup.textContent}`); });
    return copy.textContent.trim();
  };
  return [...document.querySelectorAll('.ms-value')].map((node) => {
    const copy = node.cloneNode(true), part = {};
    for (const name of ['unit', 'ms-error', 'ms-interval']) {
      const found = copy.querySelector(`.${name}`);
      part[name] = found ? text(found) : '';
      found?.remove();
    }
    return { ...part, number: text(copy), data: { ...node.dataset }, key: node.closest('.ms-key')?.querySelector('dt').firstChild.textContent.trim() };
  });
}

/* Texts that people read, but for tables and what they write themselves. */
function readTexts() {
  return [...document.querySelectorAll('p, li, dt, h2, h3, h4, figcaption, summary, .ms-name, text.note')]
    .filter((node) => !node.closest('table, pre, header'))
    .map((node) => {
      const copy = node.cloneNode(true);
      copy.querySelectorAll('.ms-value, ul, pre').forEach((inner) => inner.remove());
      return copy.textContent;
    });
}

/* ---- numbers ---- */

function checkValue({ number, unit, 'ms-error': error, 'ms-interval': interval, data, key }, setting, shapes, names, answers, say) {
  const v = Number(data.v), row = { mode: data.mode, omega: Number(data.omega) };
  const spec = { unit: data.unit ?? '', quantity: data.quantity ?? '' };
  const view = convert(setting, spec, { mode: Number(data.mode) > 0, omega: Number(data.omega) > 0 }, shapes, names);
  const value = view.value(v, row), where = `"${key ?? 'fact'}" ${number} ${unit}`;
  const words = (label) => label.split(/\d|[\u0391-\u03c9]|\b(?:chi|omega|phi|zeta)/)[0]; /* numbers follow the switch, names become Greek */
  if (key && !answers.some(({ label, value: of }) => words(label) === words(key) && of === v)) say(`${where}: summary.json has no such answer`);
  if (!Number.isFinite(value)) return; /* no Q of no damping: it stays as it was */
  if (plainUnit(unit) !== view.unit) say(`${where}: should be in "${view.unit}"`);
  const [, digits, power = ''] = number.match(/^\(?([^()\u00d7]*?) ?\)?(\u00d7.*)?$/) ?? [null, number];
  if (!isNear(digits.trim() + power, value)) say(`${where}: should be ${value}`);
  if (error && !isNear(error.replace('\u00b1 ', '') + power, Math.abs(value / v) * Number(data.error))) say(`${where}: ${error} of ${data.error}`);
  if (!interval) return;
  const ends = [data.low, data.high].map((end) => view.value(Number(end), row)).sort((a, b) => a - b);
  const [low, high] = interval.replace(/\u00d7.*/, '').split(' to ');
  if (!isNear(low + power, ends[0]) || !isNear(high + power, ends[1])) say(`${where}: ${interval} should be ${ends.join(' to ')}`);
}

/* ---- running text ---- */

const NUMBER = '[-\u2212]?\\d+(?:\\.\\d+)?(?:e[-+]?\\d+|\u00d710[\u207b\u00b9\u00b2\u00b3\u2070-\u2079]+)?';

/* Numbers with a unit: [{ numbers, unit }]. */
function findQuantities(text, names) {
  const word = `(?:sqrt\\(\\w+\\)|\u221a[a-z]+|${['Hz', 'rad', 'J', 'W', 'Pa', ...Object.keys(names), ...Object.values(names)].join('|')})`;
  const factor = `${word}(?:\\^-?\\d|[\u00b2\u00b3\u2074])?`;
  const all = new RegExp(`(?<![\\w.^])(${NUMBER}(?: (?:to|and|or) ${NUMBER})*) ((?:1/)?${factor}(?:[ /]?${factor})*)(?![\\w(])`, 'g');
  return [...text.matchAll(all)].map(([, numbers, unit]) => ({ numbers: numbers.split(/ (?:to|and|or) /), unit: plainUnit(unit) }));
}

function checkText(before, now, setting, names, say) {
  const [was, is] = [before, now].map((text) => findQuantities(text, names));
  was.forEach(({ numbers, unit }, i) => {
    const view = convert(setting, { unit, quantity: /^(Hz|rad\/s)$/.test(unit) ? 'frequency' : '' }, {}, null, names);
    const values = numbers.map((number) => view.value(Number(number.replace('\u2212', '-').replace(/\u00d710(.*)/, 'e0'))));
    if (is[i]?.unit !== view.unit) say(`"${now}" should be in ${view.unit}; was "${before}"`);
    else if (!is[i].numbers.every((number, k) => isNear(number, values[k]))) say(`"${now}" should have ${values.join(', ')} ${view.unit}`);
  });
  return was.length;
}

/* What the page says at first, before anyone has chosen. */
const textsOf = (page) => page.evaluate(readTexts);

/* All key numbers, facts and texts of the page as it is set now; how many numbers in texts there are. */
async function texts(t, page, setting, shapes, names, before) {
  const faults = [], say = (what) => faults.push(what);
  const answers = JSON.parse(fs.readFileSync(path.join(t.folder, 'summary.json'), 'utf8')).analyses.flatMap((analysis) => analysis.answers ?? []);
  const values = await page.evaluate(readValues), now = await textsOf(page);
  values.forEach((value) => checkValue(value, setting, shapes, names, answers, say));
  if (before.length !== now.length) say(`${now.length} texts, ${before.length} before`);
  const counts = before.map((text, i) => checkText(text, now[i] ?? '', setting, names, say));
  const count = counts.reduce((sum, n) => sum + n, 0);
  check(`${Object.values(setting).join(', ')}: ${values.length} key numbers and facts, ${count} numbers in texts`, faults);
  return count;
}

module.exports = { texts, textsOf };
