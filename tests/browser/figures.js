/* Figures under the switch of units: axes have the right title and tick labels, and what is read from a curve is the number of the
   CSV file, converted and rounded; of curves that no file has, that of the figure's own data, which is in SI. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { check } = require('./checks.js');
const { MOST, convert, isNear, plainUnit, readNumber, splitHeading } = require('./quantities.js');

const ROUNDED = 2e-8; /* relative: figures are written with nine digits, even steps to 1e-6 of a step */
const TICK = 1e-6; /* of the range of an axis */

/* ---- in the page ---- */

/* All figures, live: their data, and for each panel titles and ticks as drawn, and the points as they are read. */
function readFigures() {
  const text = (node) => [...node.childNodes].map((n) => (n.nodeName === 'tspan' && n.classList.contains('small')
    ? `${Number(n.getAttribute('dy')) < 0 ? '^' : '_'}${n.textContent}` : n.textContent)).join('');
  return [...document.querySelectorAll('figure.ms-figure')].map((element) => {
    const figure = msFigures.begin(element);
    return {
      id: element.id,
      data: JSON.parse(element.querySelector('script').textContent),
      panels: figure.places.map((panel) => panel && {
        axes: ['x', 'y'].map((letter) => {
          const axis = panel[letter], isX = letter === 'x', texts = [...panel.svg.querySelectorAll(isX ? '.tick.mid' : '.tick.end')];
          const title = [...panel.svg.querySelectorAll('.name')].find((n) => /rotate/.test(n.getAttribute('transform')) !== isX);
          return {
            title: title && text(title), log: Boolean(axis.log), rows: Boolean(axis.rows), range: [axis.a, axis.b],
            ticks: axis.rows ? [] : texts.map((n) => ({ text: text(n),
              place: isX ? Number(n.getAttribute('x')) / panel.width : 1 - (Number(n.getAttribute('y')) - 4) / panel.height })),
          };
        }),
        series: panel.series.map((s) => Array.from(s.at, (at, i) => ({ at, x: panel.x.read(s.x[i]), y: panel.y.read(s.y[i]),
          ...(s.low && { low: panel.y.read(s.low[i]), high: panel.y.read(s.high[i]) }) }))),
      }),
    };
  });
}

/* ---- where a curve comes from ---- */

const alike = (a, b) => a === b || Math.abs(a - b) <= ROUNDED * Math.max(Math.abs(a), Math.abs(b));

/* The tables of a run; curves that have been looked for in them. */
function readSources(t) {
  const tables = fs.readdirSync(path.join(t.folder, 'tables')).filter((name) => /\.csv$/.test(name)).map((file) => {
    const [head, ...rows] = t.table(file.replace('.csv', ''));
    return { file, rows, names: head.map((heading) => splitHeading(heading).name), units: head.map((heading) => splitHeading(heading).unit) };
  });
  return { tables, curves: new Map() };
}

const valuesOf = ({ x, y }) => ({ y, x: Array.isArray(x) ? x : y.map((v, i) => x.start + i * x.step) });

/* The rows of the table from which the points of a curve come, in their order; null if one is not there. */
function findRows(table, kx, ky, key, { x, y }, slack) {
  const keys = Object.entries(key ?? {}).map(([name, value]) => [table.names.indexOf(name), value]);
  if (keys.some(([k]) => k < 0)) return null;
  const same = (cell, value) => cell === value || (cell !== '' && alike(Number(cell), Number(value)));
  const rows = table.rows.filter((row) => keys.every(([k, value]) => same(row[k], value)));
  let from = 0;
  const found = [];
  for (let i = 0; i < y.length; i++) {
    const is = (row) => alike(Number(row[ky]), y[i]) && Math.abs(Number(row[kx]) - x[i]) <= ROUNDED * Math.abs(x[i]) + slack;
    const at = rows.findIndex((row, k) => k >= from && is(row));
    if (at < 0) return null;
    found.push(rows[at]);
    from = at;
  }
  const [mode, omega] = ['mode', 'omega'].map((name) => table.names.indexOf(name));
  return found.map((row) => ({ x: Number(row[kx]), y: Number(row[ky]), mode: row[mode], omega: Number(row[omega]) }));
}

function findPoints(tables, panel, series) {
  const data = valuesOf(series), own = data.y.map((y, i) => ({ x: data.x[i], y, mode: series.mode, omega: series.omega?.[i] }));
  const columns = [panel.x.column, panel.y.column];
  if (!columns.every(Boolean) || series.area) return { points: own };
  const slack = Array.isArray(series.x) ? 0 : 2e-6 * Math.abs(series.x.step);
  for (const table of tables) {
    const kx = table.names.indexOf(columns[0]), ky = table.names.indexOf(columns[1]);
    if (kx < 0 || ky < 0) continue;
    /* Curves over the first one of a panel are of other columns of these units. */
    const like = (k) => [k, ...table.units.keys()].filter((other) => table.units[other] === table.units[k]);
    for (const [i, k] of like(kx).flatMap((i) => like(ky).map((k) => [i, k]))) {
      const points = findRows(table, i, k, series.key, data, slack);
      if (points) return { points, table: table.file };
    }
  }
  return { points: own };
}

/* ---- what should be there ---- */

function expectedQuantity({ label = '', unit = '', column = '' }) {
  if (unit === 'Hz' || (unit === 'rad/s' && /^(\u03c9|\u03a9|omega|Omega)/.test(column || label))) return 'frequency';
  if (/^(zeta|\u03b6)(_\w+)?$/.test(column || label) && !unit) return 'damping';
  if (unit === 'm sqrt(kg)') return 'modal';
  return null;
}

/* Axes that panels share are one; what is known must be so of all curves on it. */
function seriesOn(data, p, letter) {
  const { group } = data.panels[p][letter];
  return data.panels.filter((panel, i) => panel && (i === p || (group !== undefined && panel[letter].group === group))).flatMap((panel) => panel.series);
}

function checkAxis(where, axis, spec, view, setting, say) {
  if (axis.rows) return;
  const expected = expectedQuantity(spec);
  if (expected && spec.quantity !== expected) say(`${where}: is "${spec.quantity ?? ''}", not ${expected}`);
  const range = axis.range[1] - axis.range[0];
  let factor = 1;
  if (axis.title !== undefined) {
    const [, label, bracket = ''] = axis.title.match(/^(.*?) ?(?:\[(.*)\])?$/);
    if (plainUnit(bracket) !== view.unit) say(`${where}: title "${axis.title}", should be in "${view.unit}"`);
    const at = setting.sensor === MOST ? '' : ' at';
    if (view.motion && label !== `${view.motion}${at} ${setting.sensor}`) say(`${where}: title "${axis.title}", should be ${view.motion}`);
    if (view.inverse && label !== 'Q') say(`${where}: title "${axis.title}", should be Q`);
    if (spec.quantity === 'frequency' && (view.unit === 'Hz' ? /^\u03c9(_|$)/ : /^f(_|$)/).test(label)) say(`${where}: title "${axis.title}"`);
    const power = bracket.match(/^10\^([\u2212\d]+)/);
    if (power) factor = Number(`1e${power[1].replace('\u2212', '-')}`);
  }
  for (const { text, place } of axis.ticks) {
    const number = readNumber(text.replace(/^10(?=[\u207b\u00b9\u00b2\u00b3\u2070-\u2079^])/, '1\u00d710'), factor);
    const t = axis.range[0] + place * range;
    if (!number || !(Math.abs((axis.log ? Math.log10(number.value) : number.value) - t) <= TICK * range))
      say(`${where}: tick "${text}" at ${axis.log ? 10 ** t : t}`);
  }
}

/* "12.5 Hz" */
function checkReading(where, reading, value, unit, say) {
  const [, number, shown] = reading.match(/^([-\u2212\d.]+(?:\u00d710[\u207b\u00b9\u00b2\u00b3\u2070-\u2079]+)?) ?(.*)$/) ?? [null, '', ''];
  const wanted = Math.abs(value) < 1e-300 ? 0 : value, half = readNumber(number)?.half;
  if (plainUnit(shown) !== unit) say(`${where}: "${reading}" should be in "${unit}"`);
  else if (!isNear(number, wanted) && !(Math.abs(readNumber(number)?.value - wanted) <= half + 4 * ROUNDED * Math.abs(wanted)))
    say(`${where}: "${reading}" should be ${value} ${unit}`);
}

function checkFigure(figure, { tables, curves }, setting, shapes, names, faults) {
  const count = { points: 0, fromTables: 0 };
  const say = (what) => faults.push(`${figure.id}, ${what}`);
  figure.panels.forEach((panel, p) => {
    if (!panel) return;
    const spec = figure.data.panels[p];
    const [x, y] = ['x', 'y'].map((letter, k) => {
      const on = seriesOn(figure.data, p, letter);
      const known = { mode: on.every((s) => s.mode), omega: on.every((s) => s.omega) };
      const { unit = '', quantity = '' } = spec[letter];
      const view = convert(setting, { unit: unit ?? '', quantity }, known, shapes, names);
      checkAxis(`panel ${p + 1} ${letter}`, panel.axes[k], spec[letter], view, setting, say);
      return view;
    });
    const place = `${figure.id} ${p}`;
    if (!curves.has(place)) curves.set(place, spec.series.map((series) => findPoints(tables, spec, series)));
    const found = curves.get(place);
    if (spec.x.column && spec.y.column && !found.some(({ table }) => table)) say(`panel ${p + 1}: no table has ${spec.x.column}, ${spec.y.column}`);
    spec.series.forEach((series, s) => {
      const { points, table } = found[s];
      for (const read of panel.series[s]) {
        const point = points[read.at], where = `panel ${p + 1} ${table ?? 'curve'} point ${read.at + 1} of "${series.label ?? ''}"`;
        count.points++;
        if (table) count.fromTables++;
        checkReading(`${where} x`, read.x, x.value(point.x, point), x.unit, say);
        if (!panel.axes[1].rows) checkReading(`${where} y`, read.y, y.value(point.y, point), y.unit, say);
        if (read.low === undefined) continue;
        const ends = [series.low, series.high].map((end) => y.value(end[read.at], point)).sort((a, b) => a - b);
        ['low', 'high'].forEach((end, k) => {
          if (Number.isFinite(ends[k]) && !(panel.axes[1].log && ends[k] <= 0)) checkReading(`${where} ${end}`, read[end], ends[k], y.unit, say);
        });
      }
    });
  });
  return count;
}

/* All figures of the page as it is set now. */
async function figures(page, setting, shapes, names, sources) {
  const faults = [], all = await page.evaluate(readFigures);
  let points = 0, fromTables = 0;
  for (const figure of all) {
    const count = checkFigure(figure, sources, setting, shapes, names, faults);
    points += count.points;
    fromTables += count.fromTables;
  }
  check(`${Object.values(setting).join(', ')}: ${points} points of ${all.length} figures, ${fromTables} of them from tables, titles and ticks`,
    points > 100 && fromTables > 0 ? faults : ['too few', ...faults]);
}

module.exports = { figures, readSources };
