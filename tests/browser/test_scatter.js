/* The report of examples/repeated-assemblies. */
'use strict';
const { test } = require('./checks.js');
const { screens } = require('./screens.js');
const { units } = require('./units.js');
const { print } = require('./print.js');

test('scatter', async (t) => {
  await screens(t);
  await units(t);
  await print(t);
});
