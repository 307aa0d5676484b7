/* The report on paper, as the browser prints it: every page has its number, no figure is split, and every caption is on the page of
   its figure. Marks that cannot be seen, at the corners of figures and captions, tell on which page these are. */
'use strict';
const path = require('node:path');
const { check, run } = require('./checks.js');
const { cutOff } = require('./screens.js');

/* ---- in the page ---- */

/* Marks "MSbegin<k>Z", "MSend<k>Z", "MScaption<k>Z" of figure k, "MSlast<k>Z" at the right of table k,
   "MSsection<k>Z" and "MSnext<k>Z" of a heading and what follows its paragraphs; returns their names. */
function mark() {
  const style = document.createElement('style');
  style.textContent = '.test-mark { position: absolute; left: 0; font-size: 5px; line-height: 5px; white-space: nowrap; color: #fff; }';
  document.head.append(style);
  const put = (node, text, edge) => {
    if (getComputedStyle(node).position === 'static') node.style.position = 'relative';
    const span = document.createElement('span');
    span.className = 'test-mark';
    span.style[edge] = 0;
    span.textContent = `${text} `;
    node.append(span);
  };
  const figures = [...document.querySelectorAll('.ms-figure, .ms-shape, .ms-map')].filter((figure) => figure.checkVisibility() && figure.querySelector('figcaption'));
  figures.forEach((figure, k) => {
    put(figure, `MSbegin${k}Z`, 'top');
    put(figure, `MSend${k}Z`, 'bottom');
    put(figure.querySelector('figcaption'), `MScaption${k}Z`, 'top');
  });
  const tables = [...document.querySelectorAll('.ms-table')].filter((table) => table.checkVisibility());
  tables.forEach((table, k) => {
    const last = [...table.querySelectorAll('th')].filter((th) => th.checkVisibility()).at(-1);
    put(last, `MSlast${k}Z`, 'top');
    last.querySelector('.test-mark').style.cssText = 'left: auto; right: 0; top: 0';
  });
  const starts = [...document.querySelectorAll('section > h2')].map((h2) => {
    let next = h2.nextElementSibling;
    while (next?.matches('p') || (next && !next.checkVisibility())) next = next.nextElementSibling;
    return [h2, next];
  }).filter(([h2, next]) => next && h2.checkVisibility() && !h2.closest('#answer'));
  const sections = starts.map(([h2]) => h2.textContent);
  starts.forEach(([h2, next], k) => {
    put(h2, `MSsection${k}Z`, 'top');
    put(next, `MSnext${k}Z`, 'top');
  });
  return { sections, figures: figures.map((figure) => `${figure.id} (${Math.round(figure.getBoundingClientRect().height)} px)`),
    featured: figures.map((figure) => Boolean(figure.closest('#featured'))),
    cut: tables.filter((table) => table.matches('.cut.folded[data-table]')).map((table) => ({ rows: table.dataset.rows, name: table.dataset.table })),
    modes: [...document.querySelectorAll('.ms-shape select[aria-label=Mode]')].flatMap((select) => [...select.options].slice(0, 6).map((option) => option.textContent)),
    tables: tables.map((table) => table.dataset.table ?? table.id) };
}

/* ---- from outside ---- */

const SHEET = [682, 960]; /* px: what the margins leave of A4 */
const MARGIN = 45;        /* points, at the foot */

/* Of each page its height and words, by pdftotext -bbox. */
const readPages = (text) => text.split('<page ').slice(1).map((page) => ({
  height: Number(page.match(/height="([\d.]+)"/)[1]),
  words: [...page.matchAll(/<word xMin="[^"]*" yMin="([^"]*)"[^>]*>([^<]*)</g)].map(([, top, text]) => ({ top: Number(top), text })),
}));

async function print(t) {
  const page = await t.open();
  const file = path.join(process.env.SCREENS ?? t.temp, 'report.pdf');
  await page.size(...SHEET);
  await page.emulate('print', 'dark');
  await page.evaluate(() => { dispatchEvent(new Event('beforeprint')); });
  await page.settle();
  check('no text is cut off', await page.evaluate(cutOff));
  await page.evaluate(() => { dispatchEvent(new Event('afterprint')); });
  await page.emulate('', 'dark');
  if (process.env.SCREENS) await page.print(file.replace('report', 'unmarked'));
  const { sections, figures, featured, tables, cut, modes } = await page.evaluate(mark);
  await page.print(file);
  check('printing complains of nothing', page.events.filter((event) => !event.startsWith('request: file:')));
  await page.close();

  const sheets = readPages(run('pdftotext', '-bbox', file, '-'));
  const pages = (text) => sheets.flatMap(({ words }, i) => (words.some((word) => word.text === text) ? [i + 1] : []));
  const numbered = ({ words, height }, i) => [`${i + 1}`, `${i + 1}/${sheets.length}`, `${i + 1}of${sheets.length}`].includes(
    words.filter((word) => word.top > height - MARGIN).map((word) => word.text).join('').replace(/^page/i, ''));
  check(`${sheets.length} pages, each with its number`, sheets.flatMap((sheet, i) => (numbered(sheet, i) ? [] : [`page ${i + 1} has none`])));
  check('no page is empty', sheets.flatMap(({ words }, i) => (words.filter((word) => !/^MS/.test(word.text)).length > 3 ? [] : [`page ${i + 1}`])));
  check(`${sections.length} sections begin on the page of what follows their words`,
    sections.filter((name, k) => pages(`MSsection${k}Z`).join() !== pages(`MSnext${k}Z`).slice(0, 1).join()));
  check(`${tables.length} tables are printed to their last column`, tables.filter((name, k) => !pages(`MSlast${k}Z`).length));
  const head = figures.findIndex((name, k) => featured[k]);
  if (head >= 0) check('the figure at the head is on the first page', pages(`MSbegin${head}Z`)[0] === 1 ? [] : [`page ${pages(`MSbegin${head}Z`)}`]);
  check('cut tables say which rows they have', cut.filter(({ rows, name }) => !sheets.some(({ words }) =>
    words.map((word) => word.text).join(' ').includes(`Rows 1 to 12 of ${rows}; all are in tables/${name}.csv.`))).map(({ name }) => name));
  const printed = sheets.map(({ words }) => words.map((word) => word.text).join(' ')).join(' ');
  check('every mode shape is printed with its name', modes.filter((name) => !printed.includes(name)));
  const split = [], apart = [];
  figures.forEach((name, k) => {
    const [begin, end, caption] = ['begin', 'end', 'caption'].map((part) => pages(`MS${part}${k}Z`));
    if (begin.length !== 1 || end.length !== 1 || caption.length !== 1) split.push(`${name}: marks on pages ${begin}; ${end}; ${caption}`);
    else if (begin[0] !== end[0]) split.push(`${name}: pages ${begin} to ${end}`);
    else if (caption[0] !== begin[0]) apart.push(`${name}: page ${begin}, caption ${caption}`);
  });
  check(`none of ${figures.length} figures is split`, split);
  check('every caption is with its figure', apart);
}

module.exports = { print };
