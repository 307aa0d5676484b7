/* What belongs together is marked together: a click on a row of a table, on a name in the legend or on a curve marks the curves in
   all panels of the section and the rows of its tables. Panels that share an axis zoom together. */
'use strict';
const { check, same } = require('./checks.js');

/* ---- in the page ---- */

/* The first section that has a figure of several panels and curves, and a table that knows them. */
function findSection() {
  for (const section of document.querySelectorAll('main section')) {
    const figure = section.querySelector('.ms-figure[data-keys]');
    const data = figure && JSON.parse(figure.querySelector('script').textContent);
    const names = figure?.dataset.keys.split(',') ?? [];
    const tables = [...section.querySelectorAll('.ms-table')].filter((table) => names.every((name) => table.querySelector(`th[data-name="${name}"]`)));
    const modes = new Set(data?.panels.map((panel) => panel?.series[0]?.key?.mode));
    if (names.length < 2 || modes.size < 2 || !tables.length) continue;
    msFigures.begin(figure);
    figure.scrollIntoView({ block: 'start', behavior: 'instant' });
    return { section: section.id, figure: figure.id, tables: tables.map((table) => table.id), data };
  }
  return null;
}

/* Curves of each panel: chosen, faded or plain, by their place; and rows of the tables. */
function readMarks(figure, tables) {
  const state = (node) => ['chosen', 'faded'].find((name) => node.classList.contains(name)) ?? '';
  const column = (table, name) => [...table.querySelectorAll('th')].findIndex((th) => th.dataset.name === name);
  const of = (table, row, name) => row.cells[column(table, name)].dataset.v ?? row.cells[column(table, name)].textContent;
  return {
    curves: [...document.querySelectorAll(`#${figure} .ms-panel`)].map((panel) =>
      [...panel.querySelectorAll('.ms-curve')].map((node) => `${node.dataset.label}: ${state(node)}`)),
    rows: tables.flatMap((id) => {
      const table = document.getElementById(id);
      return [...table.querySelectorAll('tbody tr')].map((row) => ({ mode: of(table, row, 'mode'), method: of(table, row, 'method'),
        marked: row.classList.contains('ms-of'), chosen: row.classList.contains('ms-chosen') }));
    }),
  };
}

/* The middle of what a function finds, scrolled into sight. */
function placeOf(selector, index) {
  const node = document.querySelectorAll(selector)[index];
  node.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + Math.min(width, 40) / 2, top + height / 2];
}

/* Of all curves of a panel the point that is farthest from the other curves: { s, at }. */
function placeOnCurve(id, p) {
  const panel = msFigures.find(document.getElementById(id)).panels[p];
  panel.svg.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = panel.svg.getBoundingClientRect();
  const place = (series, i) => [box.left + panel.left + panel.px(series.x[i]), box.top + 8 + panel.py(series.y[i])];
  const points = panel.series.flatMap((series, s) => Array.from(series.x, (x, i) => ({ s, at: place(series, i) })));
  const gap = ({ s, at: [x, y] }) => Math.min(...points.filter((other) => other.s !== s).map(({ at: [u, v] }) => Math.hypot(u - x, v - y)));
  return points.map((point) => ({ ...point, gap: gap(point) })).reduce((best, next) => (next.gap > best.gap ? next : best));
}

function readRanges(id) {
  return msFigures.find(document.getElementById(id)).panels.map(({ x, y, svg }) => ({ x: [x.a, x.b].join(), y: [y.a, y.b].join(),
    box: (({ left, top, width, height }) => [left, top, width, height])(svg.getBoundingClientRect()) }));
}

/* ---- checks ---- */

/* Curves and rows that have this mode and method, and only these, are marked; mode null: of all modes. A panel that has none of
   them stays as it is. */
function expectMarks(text, { data }, marks, mode, method) {
  const faults = [];
  const fits = (key) => (mode === null || key.mode === mode) && key.method === method;
  data.panels.forEach((panel, p) => {
    const some = panel.series.some((series) => fits(series.key));
    const kinds = panel.series.map((series) => `${series.label}: ${fits(series.key) ? 'chosen' : some ? 'faded' : ''}`);
    const seen = new Set(marks.curves[p]);
    kinds.filter((kind) => !seen.has(kind)).forEach((kind) => faults.push(`panel ${p + 1}: no "${kind}" in ${[...seen].join(', ')}`));
    if (seen.size !== new Set(kinds).size) faults.push(`panel ${p + 1}: ${[...seen].join(', ')}`);
  });
  marks.rows.filter((row) => row.marked !== fits(row)).forEach((row) => faults.push(`row ${row.mode}, ${row.method}: ${row.marked ? '' : 'not '}marked`));
  if (!marks.rows.some((row) => row.marked)) faults.push('no row is marked');
  check(text, faults);
}

function expectNone(text, marks) {
  check(text, [...marks.curves.flat().filter((curve) => !curve.endsWith(': ')), ...marks.rows.filter((row) => row.marked || row.chosen).map((row) => `row ${row.mode}, ${row.method}`)]);
}

async function selection(page, place) {
  const { figure, tables, data } = place, marks = () => page.evaluate(readMarks, figure, tables);
  const click = async (selector, index) => page.click(...await page.evaluate(placeOf, selector, index));
  const last = data.panels.at(-1).series.at(-1).key, rows = `#${tables[0]} tbody tr`;
  expectNone('nothing is marked at first', await marks());

  const at = (await marks()).rows.findIndex((row) => row.mode === last.mode && row.method === last.method);
  await click(rows, at);
  expectMarks('a row marks its curve in all panels', place, await marks(), last.mode, last.method);
  same('and itself', (await marks()).rows.map((row, i) => (row.chosen ? i : '')).join(''), String(at));
  await click(rows, at);
  expectNone('the same row again lets go', await marks());

  const name = data.panels[0].series.at(-1).label;
  const entry = await page.evaluate((id, label) => [...document.querySelectorAll(`#${id} .ms-entry`)].findIndex((node) => node.dataset.label === label), figure, name);
  await click(`#${figure} .ms-entry .ms-name`, entry);
  expectMarks('a name in the legend marks its curves in all panels, and their rows', place, await marks(), null, data.panels[0].series.at(-1).key.method);
  await click(`#${figure} .ms-entry .ms-name`, entry);
  expectNone('and lets go of them', await marks());

  const point = await page.evaluate(placeOnCurve, figure, data.panels.length - 1), { key } = data.panels.at(-1).series[point.s];
  await page.click(...point.at);
  expectMarks('a point of a curve marks it in all panels, and its rows', place, await marks(), key.mode, key.method);
  await page.evaluate((id) => msFigures.find(document.getElementById(id)).pick(null, null), figure);
  await page.settle();
}

async function zoom(page, { figure, data }) {
  await page.evaluate(placeOf, `#${figure} svg.ms-plot`, 0);
  const before = await page.evaluate(readRanges, figure);
  const [left, top, width, height] = before[0].box;
  await page.drag([left + 0.4 * width, top + 0.3 * height], [left + 0.7 * width, top + 0.32 * height]); /* a band: x alone */
  const after = await page.evaluate(readRanges, figure);
  const shares = data.panels.map((panel) => panel.x.group !== undefined && panel.x.group === data.panels[0].x.group);
  check('several panels share an axis', shares.filter(Boolean).length > 1 ? [] : ['none']);
  check('a zoom goes through the panels that share an axis, and no others', after.flatMap((range, p) => [
    ...((range.x !== before[p].x) === shares[p] ? [] : [`panel ${p + 1} x: ${range.x}, before ${before[p].x}`]),
    ...(shares[p] && range.x !== after[0].x ? [`panel ${p + 1} x: ${range.x}, first ${after[0].x}`] : []),
    ...(range.y === before[p].y ? [] : [`panel ${p + 1} y: ${range.y}, before ${before[p].y}`])]));
  await page.evaluate((id) => document.querySelector(`#${id} .ms-reset:not([hidden])`).click(), figure);
  await page.settle();
  same('and is reset in all of them', JSON.stringify((await page.evaluate(readRanges, figure)).map(({ x }) => x)), JSON.stringify(before.map(({ x }) => x)));
}

async function linked(t) {
  const page = await t.open();
  const place = await page.evaluate(findSection);
  check('a section has curves of several modes and their table', place ? [] : ['none']);
  if (place) {
    await page.settle();
    await selection(page, place);
    await zoom(page, place);
  }
  check('links complain of nothing', page.events.filter((event) => event !== `request: file://${t.report}`));
  await page.close();
}

module.exports = { linked };
