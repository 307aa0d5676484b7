/* Figures of a report page: panels with shared axes, one legend, reading and marking in all of them.
   A live figure takes the place of its still picture when it comes near the screen: a page may have
   hundreds. Gives `msFigures`: start(element) for then, begin(element) for now, find(element) if it is, arrange() those that are
   live, rows(element) for CSV.

   What is marked is told by the event `ms-select` on the section (or body) around the figure, with
   detail { key, point }: key as in { mode: 2, method: 'qsma' }, null for nothing; point, or null, has
   values under the names of columns. Tables of the section take part by their columns of these names. */
const msFigures = (() => {
  'use strict';
  const { Axis, Panel, alike, html } = msPlot;
  const around = (node) => node.closest('section') || document.body;
  const marked = new WeakMap(); /* section: detail */
  const live = new Map(); /* element: Figure */

  class Figure {
    constructor(element) {
      this.element = element;
      const data = this.data = JSON.parse(element.querySelector('script').textContent);
      const axes = new Map();
      const axis = (letter, spec, rows) => {
        const name = letter + spec.group;
        if (spec.group === undefined) return new Axis(spec, rows);
        if (!axes.has(name)) axes.set(name, new Axis(spec, rows));
        return axes.get(name);
      };
      this.places = data.panels.map((spec) =>
        spec && new Panel(spec, this, axis('x', spec.x), axis('y', spec.y, spec.rows)));
      this.places.forEach((panel, i) => { if (panel) panel.whole = panel.spec.part ? this.places[i - 1] : panel; });
      this.panels = this.places.filter(Boolean);
      this.legends();
    }
    /* One for the figure, that of the panel with most curves, or one for each panel. */
    legends() {
      const count = (panel) => panel.series.filter((series) => series.label).length;
      const most = this.panels.reduce((a, b) => (count(b) > count(a) ? b : a));
      if (this.data.legend) this.legend = most.legend();
      for (const panel of this.panels) {
        if (!this.legend && count(panel)) panel.root.append(panel.legend());
        panel.root.append(panel.plot);
      }
    }
    show() {
      const plots = this.plots = this.element.querySelector('.ms-plots');
      const observer = new ResizeObserver(() => { if (plots.clientWidth !== this.width) this.arrange(); });
      this.look();
      plots.style.setProperty('--columns', this.data.columns);
      plots.replaceChildren(...this.places.map((panel) => (panel ? panel.root : html('div'))));
      if (this.legend) plots.before(this.legend);
      plots.classList.add('live');
      plots.classList.toggle('fixed', Boolean(this.data.fixed) && this.data.columns > 2);
      this.arrange();
      observer.observe(plots);
    }
    /* Labels that a neighbour has are left out, by the columns that there are now. The page may have
       moved panels to a second grid. */
    arrange() {
      this.width = this.plots.clientWidth;
      for (const grid of new Set(this.panels.map((panel) => panel.root.parentElement))) {
        const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length;
        const places = [...grid.children].map((node) => this.panels.find((panel) => panel.root === node));
        places.forEach((panel, i) => {
          if (!panel) return;
          const below = places[i + columns], left = i % columns > 0 && places[i - 1];
          panel.column = i % columns;
          panel.hideX = Boolean(below && below.x === panel.x);
          panel.hideY = Boolean(left && left.y === panel.y);
        });
      }
      this.panels.forEach((panel) => panel.resize());
    }
    /* Panels below each other that share x begin at the same place. */
    left(panel) {
      const others = this.panels.filter((p) => p === panel || (p.x === panel.x && p.column === panel.column));
      return Math.max(...others.map((p) => p.gutter()));
    }
    linked(panel) { return this.panels.filter((p) => p.x === panel.x || p.y === panel.y); }

    /* Values as the reader has chosen to see them. */
    look() {
      const axes = new Set(this.panels.flatMap((panel) => [panel.x, panel.y]));
      const of = (axis) => this.panels.filter((panel) => panel.x === axis || panel.y === axis);
      for (const axis of axes) axis.look(of(axis).flatMap((panel) => panel.series));
      for (const panel of this.panels) panel.series.forEach((series) => series.convert(panel.x, panel.y));
      for (const axis of axes) {
        axis.fit(of(axis).flatMap((panel) => {
          const isX = panel.x === axis, note = panel.spec.notes.map((n) => axis.convert(isX ? n.x : n.y));
          return [...panel.series.flatMap((s) => (isX ? [s.x] : s.heights(axis.log))), note.filter(Number.isFinite)];
        }));
      }
      this.panels.forEach((panel) => panel.say());
    }
    refresh() {
      this.look();
      this.panels.forEach((panel) => { panel.reading = panel.guide = null; panel.draw(); });
      if (this.onrefresh) this.onrefresh();
    }

    toggle(series, visible) {
      const same = (s) => s === series || (this.legend && s.label === series.label);
      for (const panel of this.panels) {
        for (const s of panel.series.filter(same)) {
          s.visible = visible;
          if (s.toggle) s.toggle.setAttribute('aria-pressed', visible);
        }
        panel.change();
      }
    }
    /* A point read in one panel is read in those with the same x axis or a part of it, too, on the curve of
       that name. */
    read(panel, reading) {
      for (const p of this.panels.filter((other) => other.whole.x === panel.whole.x)) {
        const had = p.reading || p.guide !== null;
        p.reading = p === panel ? reading : null;
        p.guide = reading && p !== panel ? reading.series.x[reading.i] : null;
        const same = p.guide !== null && p.series.find((s) => s.visible && s.n > 0 && s.label && s.label === reading.series.label);
        if (same) {
          const i = same.findNearest(p.guide);
          if (Math.abs(p.px(same.x[i]) - p.px(p.guide)) < 12) p.reading = { series: same, i };
        }
        if (had || reading) p.drawOverlay();
      }
    }
    /* What an entry of the legend stands for: what curves of that name have in common. */
    keyOf(series) {
      const others = this.legend ? this.panels.flatMap((panel) => panel.series).filter((s) => s.label === series.label) : [series];
      return Object.fromEntries(Object.entries(series.key).filter(([name, value]) => others.every((s) => s.key[name] === value)));
    }
    /* The same again lets go. */
    pick(key, point) {
      const section = around(this.element), before = marked.get(section);
      if (key && !Object.keys(key).length) key = null;
      const same = key && before && JSON.stringify(before.key) === JSON.stringify(key) && !point === !before.point;
      select(section, same ? null : key, same ? null : point);
    }
    rows() {
      const bars = this.panels.some((panel) => panel.series.some((series) => series.raw.low));
      const rows = [['panel', 'curve', 'x', 'y', ...(bars ? ['low', 'high'] : [])]];
      this.panels.forEach((panel, p) => panel.series.forEach((series, s) => {
        const name = [panel.spec.title || p + 1, series.label || s + 1], { x, y, low, high } = series.raw;
        for (let i = 0; i < y.length; i++) {
          const ends = bars ? [low ? low[i] : '', high ? high[i] : ''] : [];
          rows.push([...name, ...[x[i], y[i], ...ends].map((v) => (v === '' ? v : Number(v.toPrecision(9))))]);
        }
      }));
      return rows;
    }
  }

  /* ---- what is marked, in figures and tables ---- */

  function select(section, key, point) {
    section.dispatchEvent(new CustomEvent('ms-select', { bubbles: true, detail: { key, point } }));
  }
  const columnsOf = (table) => [...table.tHead.rows[0].cells].map((th) => (th.dataset.name || '').replace(/ \[.*$/, ''));
  const cell = (td) => td.dataset.v ?? td.textContent;

  function markTable(table, { key, point }) {
    const names = columnsOf(table);
    const all = (row, wanted) => {
      const both = Object.keys(wanted || {}).filter((name) => names.includes(name));
      return both.length > 0 && both.every((name) => alike(cell(row.cells[names.indexOf(name)]), wanted[name]));
    };
    const whole = point && Object.keys(point).length > 1 && Object.keys(point).every((name) => names.includes(name));
    for (const row of table.tBodies[0].rows) {
      const of = key !== null && all(row, key);
      row.classList.toggle('ms-of', of);
      row.classList.toggle('ms-chosen', Boolean(whole && of && all(row, point)));
    }
  }
  document.addEventListener('ms-select', (event) => {
    const section = event.target, { key, point } = event.detail;
    marked.set(section, key ? event.detail : null);
    for (const [element, figure] of live)
      if (around(element) === section) figure.panels.forEach((panel) => panel.mark(key, point));
    for (const table of section.querySelectorAll('.ms-table table')) if (table.tHead) markTable(table, event.detail);
  });
  /* A row of a table marks what it belongs to, by the columns that curves of the section know. */
  document.addEventListener('click', (event) => {
    const row = event.target.closest('.ms-table tbody tr');
    if (!row || event.target.closest('a, button') || String(getSelection())) return;
    const section = around(row), names = columnsOf(row.closest('table'));
    const known = new Set([...section.querySelectorAll('.ms-figure')].flatMap((f) => (f.dataset.keys || '').split(',')));
    const pairs = names.map((name, i) => [name, cell(row.cells[i])]);
    const key = Object.fromEntries(pairs.filter(([name]) => name && known.has(name)));
    if (!Object.keys(key).length) return;
    const again = row.classList.contains('ms-chosen');
    const point = Object.fromEntries(pairs.filter(([, v]) => v !== '' && Number.isFinite(Number(v))).map(([n, v]) => [n, Number(v)]));
    select(section, again ? null : key, again ? null : point);
  });

  /* ---- starting ---- */

  /* What fails is reported and leaves the still picture; the others go on. */
  function begin(element) {
    if (live.has(element)) return live.get(element);
    observer.unobserve(element);
    live.set(element, null);
    try {
      const figure = new Figure(element), at = marked.get(around(element));
      figure.show();
      live.set(element, figure);
      if (element.querySelector('.ms-choices')) msChoices(element, figure);
      if (at) figure.panels.forEach((panel) => panel.mark(at.key, at.point));
      return figure;
    } catch (error) {
      live.delete(element);
      reportError(error);
      return null;
    }
  }
  const observer = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (entry.isIntersecting) begin(entry.target);
  }), { rootMargin: '400px 0px' });

  const first = JSON.stringify(msDisplay.state);
  msDisplay.listen(() => live.forEach((figure) => figure && figure.refresh()));
  /* Still pictures have the units of the page as it came. */
  addEventListener('beforeprint', () => {
    if (JSON.stringify(msDisplay.state) !== first) document.querySelectorAll('figure.ms-figure').forEach(begin);
  });
  const arrange = () => live.forEach((figure) => figure && figure.arrange());
  return { arrange, begin, find: (element) => live.get(element), start: (element) => observer.observe(element), rows: (element) => begin(element).rows() };
})();
