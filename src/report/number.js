/* How a report rounds its numbers and writes their units, by the rules of number.c and text.c; the test
   browser.numbers compares the two. Gives `msNumber`. */
const msNumber = (() => {
  'use strict';

  const LEAST_PLAIN = -3, MOST_PLAIN = 5, MOST_DIGITS = 15, OWN = -1, POWER = -2;
  const exponentOf = (value, digits) => (value === 0 ? 0 : Number(value.toExponential(digits - 1).split('e')[1]));
  const scaled = (value, e) => (e > 0 ? value / 10 ** e : value * 10 ** -e);
  const wholeStep = (e) => 3 * Math.floor(e / 3);
  const isExact = (value, decimals, tolerance = 1e-15) =>
    Math.abs(value - Math.round(value * 10 ** decimals) / 10 ** decimals) <= tolerance * Math.abs(value);
  const within = (value, least, most) => Math.min(Math.max(value, least), Math.max(most, least));

  /* A number alone, with an error or interval of this width: { exponent, decimals }. */
  function numberForm(value, width, digits) {
    const size = Math.max(Math.abs(value), width);
    if (size === 0) return { exponent: 0, decimals: 0 };
    const e = exponentOf(size, digits);
    let exponent = e >= LEAST_PLAIN && e <= MOST_PLAIN ? 0 : wholeStep(e), decimals;
    if (width > 0) {
      const last = exponentOf(width, 2) - 1;
      if (last > exponent) exponent = wholeStep(e);
      decimals = exponent - last;
    } else {
      if (e >= digits && !isExact(value, 0)) exponent = wholeStep(e);
      decimals = digits - 1 - (e - exponent);
      const tolerance = digits < 10 ? 1e-15 : 0.5 * 10 ** -decimals / Math.abs(scaled(value, exponent));
      while (decimals > 0 && isExact(scaled(value, exponent), decimals - 1, tolerance)) decimals--;
    }
    return { exponent, decimals: within(decimals, 0, MOST_DIGITS - 1 - (e - exponent)) };
  }

  /* The largest number that is nothing beside the others: see find_tiny. */
  const GAP = 6;
  function findTiny(values, largest) {
    const limit = 1e-9 * largest, decade = (v) => exponentOf(v, MOST_DIGITS + 2), decades = new Set();
    const small = [];
    let least = Infinity;
    values.forEach((v) => {
      const size = Math.abs(v);
      if (size > limit && size < least) least = size;
      if (size > 0 && size <= limit) { small.push(size); decades.add(decade(size)); }
    });
    if (!small.length) return 0;
    const lowest = Math.min(...decades);
    let at = decade(least), empty = 0;
    while (at >= lowest && empty < GAP) empty = decades.has(--at) ? 0 : empty + 1;
    return small.reduce((tiny, size) => (decade(size) < at ? Math.max(tiny, size) : tiny), 0);
  }

  /* The numbers of a column: see ms_number_column. */
  function columnForm(values, digits) {
    let least = Infinity, largest = 0;
    values.forEach((v) => { if (Math.abs(v) > largest) largest = Math.abs(v); });
    const tiny = findTiny(values, largest);
    values.forEach((v) => { if (Math.abs(v) > tiny && Math.abs(v) < least) least = Math.abs(v); });
    const exact = (e, decimals) => values.every((v) => !(Math.abs(v) > tiny) || isExact(scaled(v, e), decimals));
    if (largest === 0 || (largest < 1e7 && exact(0, 0))) return { exponent: 0, decimals: 0, tiny };
    const low = exponentOf(least, digits), high = exponentOf(largest, digits);
    const plain = high >= LEAST_PLAIN && high <= MOST_PLAIN;
    if (largest > 100 * least) {
      const apart = high - low > MOST_PLAIN || (plain && low < LEAST_PLAIN);
      return { exponent: apart || plain ? 0 : wholeStep(high), decimals: apart ? POWER : OWN, tiny };
    }
    const exponent = plain && low >= LEAST_PLAIN ? 0 : wholeStep(low);
    let decimals = 0;
    while (decimals < digits - 1 - (low - exponent) && !exact(exponent, decimals)) decimals++;
    return { exponent, decimals, tiny };
  }

  function formInColumn(column, value, error, digits) {
    if (column.decimals === POWER) return numberForm(value, error, digits);
    const { exponent } = column, e = exponentOf(value, digits);
    let { decimals } = column;
    if (error > 0) decimals = exponent - (exponentOf(error, 2) - 1);
    else if (decimals === OWN) decimals = digits - 1 - (e - exponent);
    return { exponent, decimals: within(decimals, 0, MOST_DIGITS - 1 - (e - exponent)) };
  }

  function fixed(value, { exponent, decimals }) {
    const text = scaled(value, exponent).toFixed(decimals);
    return (/[1-9]/.test(text) ? text : (0).toFixed(decimals)).replace('-', '−');
  }

  /* A unit as people write it: text.c. */
  const SIGNS = { '^-1': '⁻¹', '^-2': '⁻²', '^2': '²', '^3': '³', '^4': '⁴', '*': '·' };
  const unitText = (unit) => unit.replace(/ ?sqrt\(([^)]*)\)|\^-[12]|\^[234]|\*/g, (sign, of) => SIGNS[sign] ?? `√${of}`);

  return { POWER, columnForm, fixed, formInColumn, numberForm, unitText };
})();
