/* The switch of units: every number of every table is that of its CSV file, converted here by itself, and rounded to the digits
   shown; heads of columns follow. Figures are in figures.js, key numbers and running text in texts.js. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { check } = require('./checks.js');
const { figures, readSources } = require('./figures.js');
const { texts, textsOf } = require('./texts.js');
const { MOST, convert, isNear, plainUnit, splitHeading } = require('./quantities.js');

const SMALL = 1e-9, GAP = 6; /* of the largest in the column: shown as 0, below a gap of so many decades */
const decade = (v) => Number(v.toExponential(16).split('e')[1]);
function shownAsZero(values) {
  const sizes = values.filter((v) => Number.isFinite(v) && v !== 0).map(Math.abs).sort((a, b) => b - a);
  const at = sizes.findIndex((v, i) => i > 0 && v <= SMALL * sizes[0] && decade(sizes[i - 1]) - decade(v) > GAP);
  return at < 0 ? 0 : sizes[at];
}
const SETTINGS = [ /* each way of showing each quantity, at least once */
  { frequency: 'hz', damping: 'percent', amplitude: 'displacement', units: 'si' },
  { frequency: 'rad', damping: 'ratio', amplitude: 'modal', units: 'si' },
  { frequency: 'hz', damping: 'q', amplitude: 'velocity', units: 'study' },
  { frequency: 'rad', damping: 'percent', amplitude: 'acceleration', units: 'study' },
  { frequency: 'hz', damping: 'ratio', amplitude: 'g', units: 'si' },
];

/* ---- shapes ---- */

/* |phi| of each mode at the sensor, from the table of shapes; null where the study has none. */
function readShapes(t, sensor) {
  const file = fs.readdirSync(path.join(t.folder, 'tables')).find((name) => /shapes\.csv$/.test(name));
  if (!file) return null;
  const [head, ...rows] = t.table(file.replace('.csv', ''));
  const at = (word) => head.findIndex((name) => name.startsWith(word));
  const shapes = {};
  for (const row of rows) {
    const mode = row[at('mode')], size = Math.abs(Number(row[at('stuck')]));
    const moves = !/(^|\.)(q\d+|r[xyz])$/.test(row[at('coordinate')]); /* no rotation, no modal coordinate */
    if (sensor === MOST && moves) shapes[mode] = Math.max(shapes[mode] ?? 0, size);
    if (row[at('coordinate')] === sensor) shapes[mode] = size;
  }
  return shapes;
}

/* ---- in the page ---- */

function readTables() {
  const text = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll('sup').forEach((sup) => { sup.replaceWith(`^${sup.textContent}`); });
    return copy.textContent.trim();
  };
  const hover = (cell) => {
    cell.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    return cell.title;
  };
  return [...document.querySelectorAll('.ms-table')].map((figure) => ({
    id: figure.id,
    name: figure.dataset.table,
    columns: [...figure.querySelectorAll('thead th')].map((th) => ({
      name: th.dataset.name, factor: Number(th.dataset.factor ?? 1), quantity: th.dataset.quantity ?? '', role: th.dataset.role ?? '',
      inUnit: Number(th.dataset.inUnit ?? 0), none: 'none' in th.dataset,
      shown: th.querySelector('.unit') ? text(th.querySelector('.unit')) : '',
    })),
    rows: [...figure.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => ({
      text: text(cell), title: hover(cell), v: cell.dataset.v ?? null,
    }))),
  }));
}

/* The shapes that the page has, where no file has them. */
function pageShapes(sensor) {
  const { sensors } = JSON.parse(document.getElementById('ms-display').textContent);
  return Object.fromEntries((sensors.find(({ name }) => name === sensor)?.shape ?? []).map((size, i) => [i + 1, size]));
}

/* Sets the switch as a reader does. */
function choose(setting) {
  for (const [key, value] of Object.entries(setting)) {
    const control = document.querySelector(`#ms-switch [data-key="${key}"]`);
    if (!control) continue; /* what does not apply to the study is not offered */
    const option = [...control.options].find((o) => o.value === value || o.textContent === value);
    if (!option) throw new Error(`no ${value} for ${key}`);
    control.value = option.value;
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/* ---- tables ---- */

/* Quantities that names and units leave no doubt about must be known to the page. */
function expectedQuantity(table, { name, unit }) {
  if (/correlation/.test(table)) return null;
  if (unit === 'Hz' || (unit === 'rad/s' && /^(omega|Omega|frequency|w)/.test(name))) return 'frequency';
  if (/^zeta/.test(name) && unit === '' && !/max|median|mean|rms|largest|correlation/.test(name)) return 'damping';
  if (unit === 'm sqrt(kg)') return 'modal';
  return null;
}

/* Of numbers whose unit stands beside them: { unit, factor }, by the column unit and the name of the parameter. */
function beside(setting, head, row) {
  const cell = (name) => row[head.indexOf(name)] ?? '', unit = cell('unit'), name = cell('parameter').replace(/.*\./, '');
  if (/^-?$/.test(unit) && /^zeta/.test(name)) return setting.damping === 'ratio' ? { unit, factor: 1 } : { unit: '%', factor: 100 };
  const hertz = unit === 'Hz' || (unit === 'rad/s' && /^omega/.test(name)) ? convert(setting, { unit, quantity: 'frequency' }) : null;
  return hertz ? { unit: hertz.unit, factor: hertz.value(1) } : { unit, factor: 1 };
}

/* The cells of the column unit. */
function checkUnits(shown, csv, k, setting, faults) {
  const at = csv[0].indexOf('unit');
  shown.rows.forEach((row, i) => {
    const wanted = beside(setting, csv[0], csv[i + 1]).unit, cell = row[k];
    if (cell.v !== csv[i + 1][at] || plainUnit(cell.text).trim() !== wanted) faults.push(`${shown.name}.unit row ${i + 1}: "${cell.text}", not ${wanted}`);
  });
  return shown.rows.length;
}

function checkColumn(shown, column, csv, k, setting, shapes, names, faults) {
  const at = csv[0].indexOf(column.name);
  if (at < 0) {
    faults.push(`${shown.name}: no column ${column.name} in the file`);
    return 0;
  }
  if (column.name === 'unit' && shown.columns.some((c) => c.inUnit)) return checkUnits(shown, csv, k, setting, faults);
  const spec = { ...splitHeading(column.name), quantity: column.quantity };
  const expected = expectedQuantity(shown.name, spec);
  if (expected && !column.quantity.startsWith(expected)) faults.push(`${shown.name}.${column.name}: is "${column.quantity}", not ${expected}`);
  const role = (word) => shown.columns.findIndex((c) => c.role === word);
  const find = (word) => (role(word) < 0 ? -1 : csv[0].indexOf(shown.columns[role(word)].name));
  const [mode, omega] = [find('mode'), find('omega')];
  const perHertz = omega >= 0 && splitHeading(csv[0][omega]).unit === 'Hz' ? 2 * Math.PI : 1;
  const view = convert(setting, spec, { mode: mode >= 0, omega: omega >= 0 }, shapes, names);
  const values = csv.slice(1).map((row) => (column.none && Number(row[at]) === 0 ? NaN : column.inUnit ? Number(row[at]) * beside(setting, csv[0], row).factor ** column.inUnit
    : view.value(Number(row[at]), { mode: row[mode], omega: Number(row[omega]) * perHertz })));
  const mixed = column.inUnit || (csv[0].includes('unit') && spec.unit === ''); /* rows of different units: no size in common */
  const zero = shownAsZero(values);
  if (plainUnit(column.shown) !== view.unit) faults.push(`${shown.name}.${column.name}: in "${column.shown}", not "${view.unit}"`);
  const errors = csv[0].findIndex((head) => [`${spec.name}_error`, spec.name === 'value' ? 'standard_error' : '-'].includes(splitHeading(head).name));
  shown.rows.forEach((row, i) => {
    const cell = row[k], raw = csv[i + 1][at], value = values[i];
    const say = (what) => faults.push(`${shown.name}.${column.name} row ${i + 1}: "${cell.text}", ${what}; file ${raw}`);
    if (cell.v === null) { /* a word */
      if (cell.text !== raw) say('another word');
      return;
    }
    if (Number(cell.v) !== Number(raw)) say(`data-v is ${cell.v}`);
    if (/^(yes|no)$/.test(cell.text)) {
      if (cell.text !== (Number(raw) ? 'yes' : 'no')) say('another flag');
      return;
    }
    if (cell.title !== raw) say(`hover has ${cell.title}`);
    if (!Number.isFinite(value)) {
      if (cell.text !== '\u2013') say('there is no number');
      return;
    }
    const [, first, error, end] = cell.text.match(/^\(?([^()\u00b1]*?)(?: \u00b1 ([^)]*?))?(\)?(?:\u00d7.*)?)$/) ?? [];
    const power = end?.replace(')', '') ?? '';
    const near = (text, wanted) => isNear(text + power, wanted, column.factor);
    if (cell.text === '0' ? Math.abs(value) > zero * (1 + 1e-9) : !near(first, value)) say(`should be ${value}`);
    if (cell.text !== '0' && Math.abs(value) <= zero * (1 - 1e-9) && error === undefined && !mixed) say(`${value} should be 0`);
    if (error !== undefined && !near(error, Number(raw) ? Math.abs(value / Number(raw)) * Number(csv[i + 1][errors]) : view.value(Number(csv[i + 1][errors]), {})))
      say(`error should be that of ${csv[i + 1][errors]}`);
  });
  return shown.rows.length;
}

async function tables(t, page, setting, shapes, names) {
  const faults = [];
  let cells = 0, n = 0;
  for (const shown of await page.evaluate(readTables)) {
    if (!shown.name) continue;
    const csv = t.table(shown.name);
    n++;
    if (csv.length - 1 !== shown.rows.length) faults.push(`${shown.name}: ${shown.rows.length} rows, ${csv.length - 1} in the file`);
    else shown.columns.forEach((column, k) => { cells += checkColumn(shown, column, csv, k, setting, shapes, names, faults); });
  }
  check(`${Object.values(setting).join(', ')}: ${cells} cells of ${n} tables are those of their files`, cells > 100 ? faults : ['too few', ...faults]);
}

const SI = { m: 'm', kg: 'kg', s: 's', N: 'N' };

/* names: the units of the study. Returns how many numbers with units stand in texts. */
async function units(t, names = SI) {
  const page = await t.open();
  const sensors = await page.evaluate(() => [...document.querySelectorAll('#ms-switch [data-key="sensor"] option')].map((o) => o.textContent));
  const isOffered = await page.evaluate(() => document.querySelector('#ms-switch [data-key="units"]') !== null);
  check('units of the study are offered where they are not SI', isOffered === (names !== SI) ? [] : [`offered: ${isOffered}`]);
  await page.evaluate(() => document.querySelectorAll('figure.ms-figure').forEach((figure) => msFigures.begin(figure)));
  const before = await textsOf(page), sources = readSources(t);
  let inTexts = 0;
  for (const [i, plain] of SETTINGS.entries()) { /* another sensor each time */
    const setting = sensors.length ? { ...plain, sensor: sensors[i % sensors.length] } : plain;
    const shapes = readShapes(t, setting.sensor) ?? await page.evaluate(pageShapes, setting.sensor);
    await page.evaluate(choose, setting);
    await page.settle();
    await tables(t, page, setting, shapes, names);
    await figures(page, setting, shapes, names, sources);
    inTexts = await texts(t, page, setting, shapes, names, before);
  }
  check('the switch complains of nothing', page.events.filter((event) => event !== `request: file://${t.report}`));
  await page.close();
  return inTexts;
}

module.exports = { units };
