/* Numbers and units as a report shows them, and how they should be shown: written anew here, so that the tests do not trust
   what they test. */
'use strict';

const G = 9.80665;
const MOST = 'where each mode moves most';

/* ---- reading ---- */

/* "−1.25×10^−6", "1.25×10⁻⁶", "0.031", "12 345": value, and one half of the last digit. null: not a number. */
function readNumber(text, factor = 1) {
  const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻';
  const plain = text.replace(/[\u2009\u202f\u00a0 ]/g, '').replace(/\u2212/g, '-')
    .replace(new RegExp(`[${raised}]+`), (power) => `^${[...power].map((c) => '0123456789-'[raised.indexOf(c)]).join('')}`);
  const parts = plain.match(/^([-+]?\d+(?:\.(\d*))?)(?:(?:\u00d710\^|e)([-+]?\d+))?$/);
  if (!parts) return null;
  const power = Number(parts[3] ?? 0);
  return { value: factor * Number(`${parts[1]}e${power}`), half: factor * 0.5 * 10 ** (power - (parts[2] ?? '').length) };
}

/* Whether the text is this number, to the digits that it has. */
function isNear(text, wanted, factor = 1) {
  const number = readNumber(text, factor);
  return number !== null && Math.abs(number.value - wanted) <= number.half * (1 + 1e-6) + 1e-13 * Math.abs(wanted);
}

/* "10^3 m/s²" as "m/s^2" */
const plainUnit = (text) => text.replace(/^10\^?[\u2212\d]+ ?/, '')
  .replace(/(\/?) ?\u221a([a-z]+)/g, (all, per, of) => (per ? `/sqrt(${of})` : ` sqrt(${of})`)).replace('\u207b\u00b9', '^-1')
  .replace('\u207b\u00b2', '^-2').replace(/\u00b2/g, '^2').replace(/\u00b3/g, '^3').replace(/\u2074/g, '^4').replace(/\u00b7/g, '*').replace('\u03c7', 'chi').trim();

function splitHeading(heading) {
  const parts = heading.match(/^(.*) \[(.*)\]$/);
  return parts ? { name: parts[1], unit: parts[2] } : { name: heading, unit: '' };
}

/* ---- units of a study ---- */

const FACTORS = { m: 1, mm: 1e-3, cm: 1e-2, in: 0.0254, ft: 0.3048, kg: 1, tonne: 1e3, lb: 0.45359237,
  slug: 4.4482216152605 / 0.3048, slinch: 4.4482216152605 / 0.0254, s: 1, ms: 1e-3, N: 1, kN: 1e3, lbf: 4.4482216152605 };
const SPELLED = { J: 'N m', W: 'N m/s', Pa: 'N/m^2' };
const COUNTED = ['rad', 'deg', 'Hz', 'dB']; /* have no other unit */

/* An SI unit in those of a study, { m: 'mm', kg: 'tonne', ... }: name, and how many SI units are in it. A space begins a new
   quotient, as in "m/s sqrt(kg)". */
function studyUnit(si, names) {
  const whole = SPELLED[si] ?? si;
  let factor = 1;
  const product = (text) => text.split(' ').reduce((all, quotient) => all * quotient.split('/')
    .map((part) => {
      const [, word, power] = part.match(/^(\w+|sqrt\(\w+\))(?:\^(-?\d+))?$/) ?? [];
      if (word === '1' || COUNTED.includes(word)) return 1;
      const root = word?.match(/^sqrt\((\w+)\)$/);
      const of = FACTORS[names[root ? root[1] : word]];
      return of === undefined ? NaN : (root ? Math.sqrt(of) : of) ** Number(power ?? 1);
    }).reduce((above, below) => above / below), 1);
  const [, over, under] = whole.match(/^(.*)\/\((.*)\)$/) ?? [null, whole, '1'];
  factor = product(over) / product(under);
  if (!(factor > 0)) return { unit: si, factor: 1 };
  return { unit: whole.replace(/[A-Za-z]+/g, (word) => names[word] ?? word), factor };
}

/* ---- conversion, from the unit of the CSV file ---- */

function convertQuantity(setting, { unit, quantity }, known, shapes) {
  if (quantity === 'frequency') {
    const hertz = setting.frequency === 'hz';
    const factor = hertz === (unit === 'Hz') ? 1 : hertz ? 1 / (2 * Math.PI) : 2 * Math.PI;
    return { unit: hertz ? 'Hz' : 'rad/s', value: (v) => v * factor, fixed: true };
  }
  if (quantity === 'damping' && setting.damping === 'q') return { unit: '', value: (v) => (v > 0 ? 1 / (2 * v) : NaN), inverse: true };
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
    motion: ['displacement', 'velocity', 'acceleration'][order + power],
    value: (v, { mode, omega }) => (v * shapes[mode] * omega ** power) / (g ? G : 1),
    fixed: g,
  };
}

/* How a quantity is shown: { unit, value(v, row) }, row: { mode, omega }. names: the units of the study; motion: at a sensor. */
function convert(setting, spec, known, shapes, names) {
  const view = convertQuantity(setting, spec, known, shapes);
  const isSI = Object.entries(names).every(([si, name]) => si === name);
  if (setting.units !== 'study' || isSI || view.fixed || !view.unit || view.unit === '%') return view;
  const { unit, factor } = studyUnit(view.unit, names);
  return { ...view, unit, value: (v, row) => view.value(v, row) / factor };
}

module.exports = { MOST, convert, isNear, plainUnit, readNumber, splitHeading, studyUnit };
