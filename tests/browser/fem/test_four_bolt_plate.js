/* The report of examples/four-bolt-plate. */
'use strict';
const { test } = require('../checks.js');
const { screens } = require('../screens.js');
const { units } = require('../units.js');

test('four_bolt_plate', async (t) => {
  await screens(t);
  await units(t);
});
