/* Reports of studies whose units are not SI: in inches, slinches and lbf, and in mm, kg and ms. */
'use strict';
const { check, test } = require('./checks.js');
const { linked } = require('./linked.js');
const { units } = require('./units.js');

test('study_units', async (t) => {
  const inTexts = await units(t.of('frequency-response'), { m: 'in', kg: 'slinch', s: 's', N: 'lbf' });
  check('levels stand in labels, legends and warnings', inTexts > 10 ? [] : [`${inTexts} numbers with units in texts`]);
  await units(t.of('backbone'), { m: 'mm', kg: 'kg', s: 'ms', N: 'kN' });
  await linked(t.of('backbone'));
});
