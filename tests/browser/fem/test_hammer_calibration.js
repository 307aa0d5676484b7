/* The report of examples/hammer-calibration. */
'use strict';
const { test } = require('../checks.js');
const { screens } = require('../screens.js');
const { units } = require('../units.js');

test('hammer_calibration', async (t) => {
  await screens(t);
  await units(t);
});
