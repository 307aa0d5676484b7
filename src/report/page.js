/* The script of a report page: puts a live plot in place of each still picture, folds long tables,
   offers data as CSV, shows numbers in other units, marks the section being read, and switches between
   light and dark. It needs
   nothing but a browser and fetches nothing. */
(() => {
  'use strict';
  const { html, button, richHtml, tell } = msPlot;
  const { POWER, columnForm, fixed, formInColumn, numberForm, unitText } = msNumber;

  const stored = (work) => { try { return work(); } catch { return null; } }; /* may be forbidden */

  /* ---- CSV ---- */

  const quote = (cell) => (/[",\n\r]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell);
  const csv = (rows) => rows.map((row) => row.map((cell) => quote(String(cell))).join(',')).join('\n') + '\n';

  function offerCsv(figure, rows) {
    const tool = button('ms-tool', 'CSV', () => {
      const link = URL.createObjectURL(new Blob([csv(rows())], { type: 'text/csv' }));
      html('a', { href: link, download: `${figure.dataset.table ?? figure.id}.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(link), 10000);
    });
    tool.title = 'Download the data';
    figure.querySelector('figcaption').append(' ', tool);
  }

  function startFigure(figure) {
    msFigures.start(figure);
    offerCsv(figure, () => msFigures.rows(figure));
  }

  /* ---- maps: the node that is pointed at, in all planes ---- */

  function startMap(figure) {
    const planes = [...figure.querySelectorAll('svg')].map((node) => [...node.children]);
    const words = planes.map((nodes) => {
      const word = html('b', {});
      nodes[0].closest('.ms-plane').querySelector('h4').append(' ', word);
      return word;
    });
    const show = (k) => planes.forEach((nodes, i) => {
      nodes.forEach((node, at) => node.classList.toggle('on', at === k));
      words[i].textContent = k < 0 ? '' : nodes[k].textContent;
    });
    planes.forEach((nodes) => nodes.forEach((node, k) => { node.onpointerenter = () => show(k); }));
    figure.onpointerleave = () => show(-1);
  }

  /* ---- numbers ---- */

  const power = (e) => (e ? ['×10', html('sup', {}, String(e).replace('-', '−'))] : []);

  /* ---- units ---- */

  const unitPart = (e, unit) => html('span', { class: 'unit' },
    ...(e ? ['10', html('sup', {}, String(e).replace('-', '−')), unit ? ' ' : ''] : []), unitText(unit));
  const numberOf = (text) => (text === undefined ? NaN : Number(text));

  /* What a view changes; a column is written anew when that is not what it shows. */
  const stateOf = (view) => [view.unit, view.sensor, view.inverse].join('|');
  /* Which of the labels of a column a view has: see find_view. */
  function labelOf(node, quantity, view) {
    const labels = node.dataset.labels.split('|');
    if (quantity === 'frequency') return labels[view.unit === 'Hz' ? 0 : 1];
    if (quantity === 'damping') return labels[view.inverse ? 1 : 0];
    return labels[view.sensor ? 1 + view.motion : 0];
  }

  /* A number in a text: a key number, a fact. */
  function showValue(node) {
    const d = node.dataset, mode = Number(d.mode || 0), omega = Number(d.omega || 0);
    const view = msDisplay.view(d.quantity || '', d.unit || '', { mode: mode > 0, omega: omega > 0 });
    if (node.shown === undefined) { node.shown = stateOf(view); return; }
    if (node.shown === stateOf(view)) return;
    node.shown = stateOf(view);
    const v = Number(d.v), value = view.map(v, mode, omega), known = Number.isFinite(value);
    const show = (x) => (known ? view.map(x, mode, omega) : x), at = show(v);
    const ends = d.low === undefined ? [] : [show(Number(d.low)), show(Number(d.high))].sort((a, b) => a - b);
    const isInterval = ends.length === 2 && ends.every(Number.isFinite) && ends[0] < ends[1];
    const error = !d.error || isInterval ? 0 : v !== 0 ? Math.abs(at / v) * Number(d.error) : Math.abs(show(Number(d.error)));
    const form = numberForm(at, isInterval ? ends[1] - ends[0] : error, Number(d.digits || 5)), open = error > 0 && form.exponent;
    const unit = known ? view.unit : d.unit || '';
    const symbol = node.closest('.ms-key')?.querySelector('[data-labels]') ?? node.previousElementSibling; /* of a key number; in a text */
    if (symbol?.dataset.labels) symbol.replaceChildren(richHtml(labelOf(symbol, d.quantity, view)));
    node.replaceChildren(`${open ? '(' : ''}${fixed(at, form)}`,
      ...(error > 0 ? [' ', html('span', { class: 'ms-error' }, `± ${fixed(error, form)}`)] : []), open ? ')' : '',
      ...power(form.exponent), ...(unit ? ['\u00A0', unitPart(0, unit)] : []),
      ...(isInterval ? [' ', html('span', { class: 'ms-interval' }, `${fixed(ends[0], form)} to ${fixed(ends[1], form)}`,
        ...power(form.exponent))] : []));
  }

  /* map: of its row. */
  function showCell(td, value, column, digits, map) {
    const v = Number(td.dataset.v), e = Number(td.dataset.e || 0);
    const error = e > 0 && v !== 0 ? Math.abs(value / v) * e : e > 0 ? Math.abs(map(e)) : 0;
    td.removeAttribute('title');
    if (Number.isNaN(value)) { td.textContent = '–'; return; }
    if (Math.abs(value) <= column.tiny && !(error > 0)) {
      td.textContent = '0';
      if (v !== 0) td.title = td.dataset.v;
      return;
    }
    const form = formInColumn(column, value, error, digits), own = column.decimals === POWER && form.exponent;
    const text = fixed(value, form) + (error > 0 ? ` ± ${fixed(error, form)}` : '');
    if (own) td.replaceChildren(error > 0 ? `(${text})` : text, ...power(form.exponent));
    else td.textContent = text;
  }

  function showColumn(rows, k, th, view, known) {
    const digits = Number(th.dataset.digits || 5), cells = rows.map((row) => row.cells[k]), { inUnit } = th.dataset;
    const map = (v, i) => (inUnit ? v * known.beside[i].map(1) ** Number(inUnit) : view.map(v, known.mode[i], known.omega[i]));
    const isNone = (v) => 'none' in th.dataset && v === 0;
    const values = cells.map((td, i) => (isNone(numberOf(td.dataset.v)) ? NaN : map(numberOf(td.dataset.v), i)));
    const column = inUnit ? { exponent: 0, decimals: POWER, tiny: 0 } : columnForm(values, digits);
    cells.forEach((td, i) => { if (td.dataset.v !== undefined) showCell(td, values[i], column, digits, (v) => map(v, i)); });
    if (!th.label) { /* what stands before the unit, and the blank between them */
      th.label = [...th.childNodes].filter((n) => n.className !== 'unit');
      const last = th.label.at(-1);
      if (last && last.nodeType === Node.TEXT_NODE) last.textContent = last.textContent.trimEnd();
    }
    const label = 'labels' in th.dataset ? [richHtml(labelOf(th, th.dataset.quantity, view))] : th.label;
    const { exponent } = column;
    if (exponent) th.dataset.factor = `1e${exponent}`;
    else delete th.dataset.factor;
    th.replaceChildren(...label, ...(exponent || view.unit ? [' ', unitPart(exponent, view.unit)] : []));
  }

  function showTable(figure) {
    const table = figure.querySelector('table'), heads = [...table.tHead.rows[0].cells];
    const rows = [...table.tBodies[0].rows], at = (role) => heads.findIndex((th) => th.dataset.role === role);
    const read = (k) => (k < 0 ? [] : rows.map((row) => numberOf(row.cells[k].dataset.v)));
    const units = heads.some((th) => th.dataset.inUnit) ? rows.map((row) => row.cells[heads.findIndex((th) => th.dataset.name === 'unit')]) : [];
    const beside = units.map(({ dataset: d }) => msDisplay.view(d.quantity || '', d.v)), shown = beside.map((view) => view.unit).join('|');
    let known = null;
    units.forEach((td, i) => { if (table.shown !== undefined && table.shown !== shown) td.textContent = unitText(beside[i].unit); });
    table.shown = shown;
    heads.forEach((th, k) => {
      if (!th.classList.contains('n')) return;
      const view = msDisplay.view(th.dataset.quantity || '', th.dataset.unit || '', { mode: at('mode') >= 0, omega: at('omega') >= 0 });
      const was = th.shown;
      th.shown = th.dataset.inUnit ? shown : stateOf(view);
      if (was === undefined || was === th.shown) return;
      const per = at('omega') >= 0 && heads[at('omega')].dataset.unit === 'Hz' ? 2 * Math.PI : 1;
      known = known || { mode: read(at('mode')), omega: read(at('omega')).map((omega) => per * omega), beside };
      showColumn(rows, k, th, view, known);
    });
  }

  /* Numbers in running text; tables, figures and lists have their own. */
  function collectTexts() {
    const own = (node) => node.matches?.('script, style, svg, table, pre, header, dd, .ms-plots, .ms-tools');
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
      (node) => (own(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    const texts = [];
    while (walk.nextNode()) if (/\d /.test(walk.currentNode.data)) texts.push([walk.currentNode, walk.currentNode.data]);
    return texts;
  }

  /* ---- the switch ---- */

  const CHOICES = {
    frequency: ['Frequency', [['hz', 'Hz'], ['rad', 'rad/s']]],
    damping: ['Damping', [['percent', '%'], ['ratio', 'ratio'], ['q', 'Q factor']]],
    amplitude: ['Amplitude', [['modal', 'modal'], ['displacement', 'displacement'], ['velocity', 'velocity'],
      ['acceleration', 'acceleration'], ['g', 'acceleration in g']]],
    sensor: ['at', msDisplay.sensors.map((name, i) => [i, name])],
    units: ['Units', [['si', 'SI'], ['study', "the study's"]]],
  };

  function isOffered(key) {
    if (key === 'units') return !msDisplay.isStudySI;
    return (key !== 'amplitude' && key !== 'sensor') || msDisplay.sensors.length > 0;
  }

  function startSwitch() {
    if (!msDisplay.there) return;
    const name = `microslip-display:${location.pathname}`;
    const selects = Object.entries(CHOICES).filter(([key]) => isOffered(key)).map(([key, [label, options]]) => {
      const select = html('select', {}, ...options.map(([value, text]) => html('option', { value }, text)));
      select.dataset.key = key;
      select.onchange = () => {
        msDisplay.set(key, key === 'sensor' ? Number(select.value) : select.value);
        stored(() => localStorage.setItem(name, JSON.stringify(msDisplay.state)));
      };
      return [key, select, html('label', {}, `${label} `, select)];
    });
    const bar = html('details', { id: 'ms-switch' }, html('summary', {}, 'Units'),
      html('div', {}, ...selects.map(([, , label]) => label)));
    const wide = matchMedia('(min-width: 60rem)');
    const fit = () => { bar.open = wide.matches; };
    const texts = collectTexts();
    const show = () => {
      selects.forEach(([key, select, label]) => {
        select.value = msDisplay.state[key];
        if (key === 'sensor') label.hidden = msDisplay.state.amplitude === 'modal';
      });
      texts.forEach(([node, text]) => { node.data = tell(text); });
      start('.ms-value', showValue);
      start('.ms-table:not(.ms-shaded)', showTable);
    };
    wide.addEventListener('change', fit);
    fit();
    tools.append(bar);
    show();
    msDisplay.listen(show);
    const before = stored(() => JSON.parse(localStorage.getItem(name))) || {};
    selects.forEach(([key, select]) => {
      if ([...select.options].some((option) => option.value === String(before[key]))) msDisplay.set(key, before[key]);
    });
  }

  /* ---- tables ---- */

  const SHOWN = 12, LONG = 16, PRINTED = 40; /* rows; page.css hides those after the first SHOWN, on paper of tables with more than PRINTED */

  function tableRows(table) {
    const cells = (row, text) => [...row.cells].map(text);
    return [cells(table.tHead.rows[0], (th) => th.dataset.name),
      ...[...table.tBodies[0].rows].map((row) => cells(row, (td) => td.dataset.v ?? td.textContent))];
  }

  function startTable(figure) {
    const table = figure.querySelector('table'), n = table.tBodies[0].rows.length;
    offerCsv(figure, () => tableRows(table));
    table.onpointerover = ({ target }) => { /* all digits of a number */
      const td = target.closest('td.n');
      if (td && td.dataset.v !== undefined) td.title = td.dataset.v;
    };
    if (figure.dataset.folded) {
      const fold = button('ms-more', `Show ${figure.dataset.folded}`, () => {
        fold.textContent = `${figure.classList.toggle('unfolded') ? 'Hide' : 'Show'} ${figure.dataset.folded}`;
      });
      figure.append(fold, ' ');
    }
    if (n <= LONG) return;
    const all = `Show all ${n} rows`;
    const more = button('ms-more', all, () => {
      more.textContent = figure.classList.toggle('folded') ? all : `Show the first ${SHOWN} rows`;
    });
    figure.classList.add('long', 'folded');
    figure.dataset.rows = n; /* for paper */
    figure.classList.toggle('cut', n > PRINTED);
    figure.append(more);
  }

  /* ---- the page around them ---- */

  const tools = html('div', { class: 'ms-tools' });

  function hideRepeatedLegends() {
    const legends = [...document.querySelectorAll('#featured .ms-legend')];
    legends.slice(1).forEach((legend) => { legend.hidden = legend.textContent === legends[0].textContent; });
  }

  /* The plots at the head end on the first screen: they become lower, down to LEAST, and the last ones go
     below the figure. */
  const LEAST = 128, LABELS = 32;
  function fitHead() {
    const element = document.querySelector('#featured .ms-figure'), figure = element && msFigures.begin(element);
    if (!figure) return;
    const panels = [...figure.panels];
    if (innerWidth < 640) hideRepeatedLegends();
    const bottom = (panel) => panel.plot.getBoundingClientRect().bottom + scrollY;
    const rest = [], labels = () => (rest.length && panels.at(-1).hideX ? LABELS : 0); /* which those below it had */
    const over = () => Math.max(...panels.map(bottom)) + labels() + 8 - innerHeight;
    const rows = new Set(panels.map((panel) => Math.round(bottom(panel) / 8))).size;
    const now = Math.max(...panels.map((panel) => panel.outerHeight));
    const tallest = Math.max(LEAST, Math.floor(now - over() / rows));
    if (over() > 0) {
      panels.forEach((panel) => panel.setTallest(tallest));
      figure.arrange();
    }
    while (panels.length > 1 && over() > 0) rest.unshift(panels.pop());
    if (!rest.length) return;
    rest.forEach((panel) => panel.setTallest(0));
    const more = html('div', { class: 'ms-plots live' }, ...rest.map((panel) => panel.root));
    more.style.setProperty('--columns', 1);
    document.getElementById('featured').after(html('div', { class: 'ms-figure ms-continued' },
      html('p', { class: 'under' }, 'Figure 1, continued'), more));
    figure.arrange();
  }

  function unfitHead() {
    const element = document.querySelector('#featured .ms-figure'), more = document.querySelector('.ms-continued');
    if (more) {
      element.querySelector('.ms-plots').append(...more.querySelectorAll('.ms-panel'));
      more.remove();
    }
    element?.querySelectorAll('.ms-legend').forEach((legend) => { legend.hidden = false; });
    if (element) msFigures.begin(element)?.panels.forEach((panel) => panel.setTallest(0));
  }

  /* ---- paper ---- */

  /* Figures are drawn for the width of a page, wide tables made smaller, and what is folded opened. */
  const PAPER = 680, TALL = 900, LOWEST = 80; /* px: the width of A4 and the height of a letter less margins; a panel */

  /* Of a figure that is live; the others are pictures. */
  const panelsOf = (element) => msFigures.find(element)?.panels || [];

  /* A figure that is taller than a page, or at the head than what the numbers leave of it, gets lower panels. */
  function fitPaper(figure) {
    const head = figure.closest('#featured'), top = head ? head.getBoundingClientRect().top + scrollY : 0;
    const isTall = () => figure.getBoundingClientRect().height > TALL - top;
    if (!isTall()) return;
    msFigures.begin(figure)?.arrange(); /* a still picture keeps its height */
    const panels = panelsOf(figure), set = (height) => panels.forEach((panel) => panel.setTallest(height));
    if (!panels.length || !isTall()) return;
    let low = LOWEST, high = Math.max(...panels.map((panel) => panel.outerHeight));
    while (high - low > 4) {
      const middle = (low + high) / 2;
      set(Math.floor(middle));
      if (isTall()) high = middle;
      else low = middle;
    }
    set(Math.floor(low));
  }

  function startPrint() {
    const root = document.documentElement, closed = [];
    addEventListener('beforeprint', () => {
      unfitHead();
      root.classList.add('paper');
      msFigures.arrange();
      document.querySelectorAll('.ms-figure').forEach(fitPaper);
      document.querySelectorAll('table').forEach((table) => {
        table.style.zoom = Math.min(1, PAPER / table.scrollWidth).toFixed(3);
      });
      closed.push(...document.querySelectorAll('.ms-warnings details:not([open])'));
      closed.forEach((details) => { details.open = true; });
    });
    addEventListener('afterprint', () => {
      root.classList.remove('paper');
      document.querySelectorAll('table').forEach((table) => { table.style.zoom = ''; });
      closed.splice(0).forEach((details) => { details.open = false; });
      unfitHead();
      document.querySelectorAll('.ms-figure').forEach((figure) => panelsOf(figure).forEach((panel) => panel.setTallest(0)));
      msFigures.arrange();
      fitHead();
    });
  }

  function startCode(pre) {
    if (!navigator.clipboard) return;
    const copy = button('ms-tool', 'Copy', () =>
      navigator.clipboard.writeText(pre.textContent).then(() => { copy.textContent = 'Copied'; }, () => {}));
    const around = html('div', { class: 'ms-code' });
    pre.replaceWith(around);
    around.append(pre, copy);
  }

  function startTheme() {
    const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)');
    const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);
    const theme = stored(() => localStorage.getItem('microslip-theme'));
    if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
    const toggle = button('ms-theme', '', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      stored(() => localStorage.setItem('microslip-theme', root.dataset.theme));
      name();
    });
    const name = () => { toggle.textContent = isDark() ? 'Light' : 'Dark'; };
    dark.addEventListener('change', name);
    name();
    toggle.title = 'Switch between light and dark';
    tools.append(toggle);
  }

  /* Marks the section being read in the contents. */
  function startContents() {
    const links = [...document.querySelectorAll('nav a')];
    const mark = () => {
      const sections = links.map((link) => document.querySelector(link.hash));
      const past = sections.filter((s) => s.getBoundingClientRect().top < innerHeight / 3);
      links.forEach((link, i) => link.classList.toggle('here', i === past.length - 1));
    };
    addEventListener('scroll', mark, { passive: true });
    mark();
  }

  /* What fails is reported and leaves its block as it was; the others go on. */
  const start = (selector, action) => document.querySelectorAll(selector).forEach((node) => {
    try { action(node); } catch (error) { reportError(error); }
  });

  document.querySelector('header').append(tools);
  startSwitch();
  startTheme();
  start('.ms-figure', startFigure);
  start('.ms-shape', msShape);
  start('.ms-map', startMap);
  start('.ms-table', startTable);
  start('pre', startCode);
  if (document.querySelector('nav')) startContents();
  document.documentElement.classList.add('js');
  fitHead();
  startPrint();
})();
