/* The report of examples/three-mass. */
'use strict';
const { test } = require('./checks.js');
const { screens } = require('./screens.js');
const { linked } = require('./linked.js');
const { units } = require('./units.js');
const { print } = require('./print.js');

test('three_mass', async (t) => {
  await screens(t);
  await units(t);
  await linked(t);
  await print(t);
});
