/* The switch of units: every number of every table is that of its CSV file, converted here by itself, and rounded to the digits
   shown; heads of columns, axes and what is read from curves follow. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { check } = require('./checks.js');

const SMALL = 1e-9; /* of the largest in the column: shown as 0 */
const G = 9.80665;
const SETTINGS = [ /* each way of showing each quantity, at least once */
  { frequency: 'hz', damping: 'percent', amplitude: 'displacement', units: 'si' },
  { frequency: 'rad', damping: 'ratio', amplitude: 'modal', units: 'si' },
  { frequency: 'hz', damping: 'q', amplitude: 'velocity', units: 'study' },
  { frequency: 'rad', damping: 'percent', amplitude: 'acceleration', units: 'si' },
  { frequency: 'hz', damping: 'ratio', amplitude: 'g', units: 'si' },
];

/* ---- numbers as they are shown ---- */

/* "−1.25×10^−6", "0.031", "12 345": value, and one half of the last digit. null: not a number. */
function readNumber(text, factor = 1) {
  const plain = text.replace(/[\u2009\u202f\u00a0 ]/g, '').replace(/\u2212/g, '-');
  const parts = plain.match(/^([-+]?\d+(?:\.(\d*))?)(?:(?:\u00d710\^|e)([-+]?\d+))?$/);
  if (!parts) return null;
  const power = Number(parts[3] ?? 0);
  return { value: factor * Number(`${parts[1]}e${power}`), half: factor * 0.5 * 10 ** (power - (parts[2] ?? '').length) };
}

/* ---- conversion, from the unit of the CSV file ---- */

/* How a column is shown: { unit, convert(value, row) }, row: { mode, omega }. */
function convert(setting, { name, unit, quantity }, known, shapes) {
  if (quantity === 'frequency') {
    const hertz = setting.frequency === 'hz';
    const factor = hertz === (unit === 'Hz') ? 1 : hertz ? 1 / (2 * Math.PI) : 2 * Math.PI;
    return { unit: hertz ? 'Hz' : 'rad/s', value: (v) => v * factor };
  }
  if (quantity === 'damping' && setting.damping === 'q') return { unit: '', value: (v) => (v > 0 ? 1 / (2 * v) : NaN) };
  if (quantity === 'damping' || quantity === 'damping difference') {
    return setting.damping === 'ratio' ? { unit: '', value: (v) => v } : { unit: '%', value: (v) => 100 * v };
  }
  const order = ['modal', 'modal velocity', 'modal acceleration'].indexOf(quantity);
  if (order < 0 || setting.amplitude === 'modal' || !known.mode || !shapes) return { unit, value: (v) => v };
  const wanted = { displacement: 0, velocity: 1, acceleration: 2, g: 2 }[setting.amplitude];
  const power = known.omega ? wanted - order : 0;
  const g = setting.amplitude === 'g' && order + power === 2;
  return {
    unit: g ? 'g' : ['m', 'm/s', 'm/s^2'][order + power],
    value: (v, { mode, omega }) => (v * shapes[mode] * omega ** power) / (g ? G : 1),
  };
}

const MOST = 'where each mode moves most';

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
      inUnit: Number(th.dataset.inUnit ?? 0),
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

/* "10^3 m/s²" as "m/s^2" */
const plainUnit = (text) => text.replace(/^10\^[\u2212\d]+ ?/, '').replace(/(\/?)\u221akg/, (all, per) => (per ? '/sqrt(kg)' : ' sqrt(kg)')).replace('\u207b\u00b9', '^-1')
  .replace('\u207b\u00b2', '^-2').replace(/\u00b2/g, '^2').replace(/\u00b3/g, '^3').replace(/\u2074/g, '^4').replace(/\u00b7/g, '*');

function splitHeading(heading) {
  const parts = heading.match(/^(.*) \[(.*)\]$/);
  return parts ? { name: parts[1], unit: parts[2] } : { name: heading, unit: '' };
}

/* Quantities that names and units leave no doubt about must be known to the page. */
function expectedQuantity(table, { name, unit }) {
  if (/correlation/.test(table)) return null;
  if (unit === 'Hz' || (unit === 'rad/s' && /^(omega|Omega|frequency|w)/.test(name))) return 'frequency';
  if (/^zeta/.test(name) && unit === '' && !/max|median|correlation/.test(name)) return 'damping';
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

function checkColumn(shown, column, csv, k, setting, shapes, faults) {
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
  const view = convert(setting, spec, { mode: mode >= 0, omega: omega >= 0 }, shapes);
  const values = csv.slice(1).map((row) => (column.inUnit ? Number(row[at]) * beside(setting, csv[0], row).factor ** column.inUnit : view.value(Number(row[at]), { mode: row[mode], omega: Number(row[omega]) * perHertz })));
  const largest = Math.max(...values.filter(Number.isFinite).map(Math.abs));
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
    const near = (text, wanted) => {
      const number = readNumber(text + power, column.factor);
      return number && Math.abs(number.value - wanted) <= number.half * (1 + 1e-6) + 1e-13 * Math.abs(wanted);
    };
    if (cell.text === '0' ? Math.abs(value) > SMALL * largest * (1 + 1e-9) : !near(first, value)) say(`should be ${value}`);
    if (cell.text !== '0' && Math.abs(value) <= SMALL * largest * (1 - 1e-9) && error === undefined) say(`${value} should be 0`);
    if (error !== undefined && !near(error, Number(raw) ? Math.abs(value / Number(raw)) * Number(csv[i + 1][errors]) : view.value(Number(csv[i + 1][errors]), {})))
      say(`error should be that of ${csv[i + 1][errors]}`);
  });
  return shown.rows.length;
}

async function tables(t, page, setting) {
  const shapes = readShapes(t, setting.sensor) ?? await page.evaluate(pageShapes, setting.sensor);
  await page.evaluate(choose, setting);
  await page.settle();
  const faults = [];
  let cells = 0, n = 0;
  for (const shown of await page.evaluate(readTables)) {
    if (!shown.name) continue;
    const csv = t.table(shown.name);
    n++;
    if (csv.length - 1 !== shown.rows.length) faults.push(`${shown.name}: ${shown.rows.length} rows, ${csv.length - 1} in the file`);
    else shown.columns.forEach((column, k) => { cells += checkColumn(shown, column, csv, k, setting, shapes, faults); });
  }
  check(`${Object.values(setting).join(', ')}: ${cells} cells of ${n} tables are those of their files`, cells > 100 ? faults : ['too few', ...faults]);
}

async function units(t) {
  const page = await t.open();
  const sensors = await page.evaluate(() => [...document.querySelectorAll('#ms-switch [data-key="sensor"] option')].map((o) => o.textContent));
  for (const [i, setting] of SETTINGS.entries()) { /* another sensor each time */
    await tables(t, page, sensors.length ? { ...setting, sensor: sensors[i % sensors.length] } : setting);
  }
  check('the switch complains of nothing', page.events.filter((event) => event !== `request: file://${t.report}`));
  await page.close();
}

module.exports = { units };
