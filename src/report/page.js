/* The script of a report page: puts a live plot in place of each still picture, folds long tables,
   offers data as CSV, marks the section being read, and switches between light and dark. It needs
   nothing but a browser and fetches nothing. */
(() => {
  'use strict';
  const { Panel, html, button } = msPlot;

  /* ---- CSV ---- */

  const quote = (cell) => (/[",\n\r]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell);
  const csv = (rows) => rows.map((row) => row.map((cell) => quote(String(cell))).join(',')).join('\n') + '\n';

  function offerCsv(figure, rows) {
    const tool = button('ms-tool', 'CSV', () => {
      const link = URL.createObjectURL(new Blob([csv(rows())], { type: 'text/csv' }));
      html('a', { href: link, download: `${figure.id}.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(link), 10000);
    });
    tool.title = 'Download the data';
    figure.querySelector('figcaption').append(' ', tool);
  }

  /* ---- figures ---- */

  function figureRows(panels) {
    const rows = [['panel', 'curve', 'x', 'y']];
    panels.forEach((panel, p) => panel.series.forEach((series, s) => {
      const name = [panel.spec.title || p + 1, series.label || s + 1];
      for (let i = 0; i < series.n; i++) {
        const value = [panel.x.toValue(series.x[i]), panel.y.toValue(series.y[i])];
        rows.push([...name, ...value.map((v) => Number(v.toPrecision(9)))]);
      }
    }));
    return rows;
  }

  function startFigure(figure) {
    const data = JSON.parse(figure.querySelector('script').textContent);
    const places = data.panels.map((spec) => (spec ? new Panel(spec) : null));
    const panels = places.filter(Boolean);
    const plots = figure.querySelector('.ms-plots');
    plots.style.setProperty('--columns', data.columns);
    plots.replaceChildren(...places.map((panel) => (panel ? panel.root : html('div'))));
    plots.classList.add('live');
    plots.classList.toggle('fixed', Boolean(data.fixed));
    panels.forEach((panel) => panel.resize());
    if (figure.querySelector('.ms-choices')) msChoices(figure, panels);
    offerCsv(figure, () => figureRows(panels));
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

  /* ---- tables ---- */

  const SHOWN = 12, LONG = 16; /* rows; page.css hides those after the first SHOWN */

  function tableRows(table) {
    const cells = (row, text) => [...row.cells].map(text);
    return [cells(table.tHead.rows[0], (th) => th.dataset.name),
      ...[...table.tBodies[0].rows].map((row) => cells(row, (td) => td.dataset.v ?? td.textContent))];
  }

  function startTable(figure) {
    const table = figure.querySelector('table'), n = table.tBodies[0].rows.length;
    offerCsv(figure, () => tableRows(table));
    if (n <= LONG) return;
    const all = `Show all ${n} rows`;
    const more = button('ms-more', all, () => {
      more.textContent = figure.classList.toggle('folded') ? all : `Show the first ${SHOWN} rows`;
    });
    figure.classList.add('long', 'folded');
    figure.append(more);
  }

  /* ---- the page around them ---- */

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
    const stored = (work) => { try { return work(); } catch { return null; } }; /* may be forbidden */
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
    document.body.prepend(toggle);
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

  startTheme();
  start('.ms-figure', startFigure);
  start('.ms-shape', msShape);
  start('.ms-map', startMap);
  start('.ms-table', startTable);
  start('pre', startCode);
  if (document.querySelector('nav')) startContents();
  document.documentElement.classList.add('js');
})();
