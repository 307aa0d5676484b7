/* Units in which the numbers of a report are shown, by the rules of display.c: Hz or rad/s; %, ratio or
   Q; modal amplitudes or the motion of a sensor; SI or the units of the study. The page holds SI.
   Gives `msDisplay`: the choices, view(quantity, unit, known) to convert, set and listen. */
const msDisplay = (() => {
  'use strict';
  const node = document.getElementById('ms-display');
  const data = node ? JSON.parse(node.textContent) : { study: {}, sensors: [] };
  const state = { frequency: data.frequency || 'rad', damping: data.damping || 'ratio',
    amplitude: data.amplitude || 'modal', units: data.units || 'si', sensor: data.sensor || 0 };
  const isStudySI = Object.entries(data.study).every(([si, unit]) => si === unit.name);
  const listeners = [];
  const G = 9.80665, MODAL = ['modal', 'modal velocity', 'modal acceleration'];
  const MOTION = { displacement: 0, velocity: 1, acceleration: 2, g: 2 };
  const ALIAS = { J: 'N m', W: 'N m/s', Pa: 'N/m^2' };
  const SAME = ['rad', 'deg', 'Hz', 'dB', 'steps'];

  /* The study's unit in place of an SI one, and how many SI units are in it: see units.c. */
  function studyUnit(si) {
    let factor = 1, below = false, outside = false, named = true;
    const name = (ALIAS[si] || si).replace(/(sqrt\()?([A-Za-z]+)(?:(?<=sqrt\(\w+)\))?(?:\^(-?\d+))?|[/ ()]/g, (all, root, word, power) => {
      if (!word) {
        if (all === '(' || all === ')') outside = all === '(' && below;
        below = all === '/';
        return all;
      }
      const unit = SAME.includes(word) ? { name: word, factor: 1 } : data.study[word];
      if (!unit) { named = false; return all; }
      factor *= unit.factor ** ((below !== outside ? -1 : 1) * (root ? 0.5 : 1) * Number(power || 1));
      return all.replace(word, unit.name);
    });
    return named && si !== 'g' ? { name, factor } : { name: si, factor: 1 };
  }

  /* How numbers of a quantity in an SI unit (or Hz) are shown. known: { mode, omega }, whether these are
     known beside each number. map takes a number, its mode and its omega; NaN where there is none. motion of a sensor: 0, 1, 2 for
     displacement, velocity, acceleration. */
  function view(quantity, unit, known = {}) {
    unit = unit || '';
    if (quantity === 'frequency') {
      const from = unit === 'Hz' ? 'hz' : 'rad';
      const factor = from === state.frequency ? 1 : from === 'hz' ? 2 * Math.PI : 1 / (2 * Math.PI);
      return { unit: state.frequency === 'hz' ? 'Hz' : 'rad/s', map: (v) => v * factor };
    }
    if (quantity === 'damping' && state.damping === 'q') {
      return { unit: '', map: (v) => (v > 0 ? 0.5 / v : NaN), inverse: true };
    }
    if (quantity === 'damping' || quantity === 'damping difference') {
      const ratio = state.damping === 'ratio';
      return { unit: ratio ? '' : '%', map: (v) => (ratio ? v : 100 * v) };
    }
    const base = MODAL.indexOf(quantity), sensor = data.sensors[state.sensor];
    let scale = 1, power = 0, shape = null, motion = 0;
    if (base >= 0 && state.amplitude !== 'modal' && known.mode && sensor) {
      const target = known.omega ? MOTION[state.amplitude] : base;
      [shape, power, unit, motion] = [sensor.shape, target - base, ['m', 'm/s', 'm/s^2'][target], target];
      if (state.amplitude === 'g' && target === 2) [scale, unit] = [1 / G, 'g'];
    }
    if (state.units === 'study') {
      const study = studyUnit(unit);
      [scale, unit] = [scale / study.factor, study.name];
    }
    const map = (v, mode, omega) => {
      const size = shape ? shape[mode - 1] : 1;
      const out = v * scale * (size ?? NaN) * (power ? omega ** power : 1);
      return Number.isFinite(out) ? out : NaN;
    };
    return { unit, map, sensor: shape ? sensor.name : null, motion };
  }

  function set(key, value) {
    if (state[key] === value) return;
    state[key] = value;
    listeners.forEach((listener) => listener());
  }

  return { state, view, set, isStudySI, sensors: data.sensors.map((sensor) => sensor.name),
    listen: (listener) => listeners.push(listener), there: Boolean(node) };
})();
