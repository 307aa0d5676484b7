/* The report of examples/ministack. */
'use strict';
const { test } = require('../checks.js');
const { screens } = require('../screens.js');
const { units } = require('../units.js');

test('ministack', async (t) => {
  await screens(t);
  await units(t);
});
