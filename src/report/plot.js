/* Plots of a report page, drawn from the data of a figure (page_figure.c) so that they can be zoomed,
   read and have curves switched off. Gives `msPlot`: Axis, Panel, the makers of elements, and when
   the page was last scrolled. figure.js has what the panels of a figure do together.

   Drawing is SVG with the class names of the still pictures (svg.c), so that style is in one place.
   Positions on an axis are in t: t = log10(value) on a logarithmic axis, else t = value. */
const msPlot = (() => {
  'use strict';

  /* ---- elements ---- */

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {}))
      if (value !== null && value !== undefined) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }
  const html = (name, attributes, ...children) =>
    fill(document.createElement(name), attributes, children);
  const svg = (name, attributes, ...children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

  function button(name, text, action) {
    const node = html('button', { type: 'button', class: name }, text);
    node.onclick = action;
    return node;
  }

  /* ---- text: F_S has a lowered index, m/s² a raised digit ---- */

  const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺';
  const LETTER = 'A-Za-z\u0370-\u03ff';
  const INDEX = new RegExp(`(?<![${LETTER}_])([${LETTER}])_([${LETTER}0-9∞]+)|([${RAISED}]+)`, 'g');

  /* The text as runs [level, text]: level 0, -1 for lowered, 1 for raised. */
  function runs(text) {
    const out = [];
    let at = 0;
    for (const match of text.matchAll(INDEX)) {
      out.push([0, text.slice(at, match.index) + (match[1] || '')]);
      if (match[2]) out.push([-1, match[2]]);
      else out.push([1, [...match[3]].map((c) => '0123456789−+'[RAISED.indexOf(c)]).join('')]);
      at = match.index + match[0].length;
    }
    return [...out, [0, text.slice(at)]].filter((run) => run[1]);
  }
  const richHtml = (text) => html('span', {}, ...runs(text).map(([level, part]) =>
    (level ? html(level < 0 ? 'sub' : 'sup', {}, part) : part)));

  function richSvg(name, x, y, text, attributes) {
    let before = 0;
    return svg('text', { class: name, x, y, ...attributes }, ...runs(text).map(([level, part]) => {
      const shift = level < 0 ? 2.6 : -4 * level, dy = shift - before;
      before = shift;
      return svg('tspan', { class: level ? 'small' : null, dy }, part);
    }));
  }

  /* ---- numbers ---- */

  const raise = (k) => [...String(k)].map((c) => RAISED['0123456789-'.indexOf(c)]).join('');
  const minus = (text) => text.replace(/-/g, '−');

  /* Six digits, for reading a value. */
  function readable(value) {
    const [digits, power] = value.toExponential(5).split('e');
    const e = Number(power);
    if (value !== 0 && (e < -3 || e > 5)) return `${minus(String(Number(digits)))}×10${raise(e)}`;
    return minus(String(Number(value.toPrecision(6))));
  }

  /* n 10^e in digits. */
  function decimal(n, e) {
    const value = Number(`${n}e${e}`);
    return n === 0 ? '0' : minus(e < 0 ? value.toFixed(-e) : String(value));
  }

  /* ---- ticks: the rules of axis.c ---- */

  function commonExponent(low, high) {
    const e = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
    return e >= 4 || e <= -3 ? 3 * Math.floor(e / 3) : 0;
  }

  function linearTicks(low, high, target) {
    const raw = (high - low) / target;
    let e = Math.floor(Math.log10(raw));
    const ratio = raw / 10 ** e;
    let m = ratio < Math.SQRT2 ? 1 : ratio < Math.sqrt(10) ? 2 : 5;
    if (ratio >= Math.sqrt(50)) [m, e] = [1, e + 1];
    const step = Number(`${m}e${e}`);
    const exponent = commonExponent(low, high);
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i <= high / step + 1e-9; i++)
      ticks.push({ value: Number(`${i * m}e${e}`), label: decimal(i * m, e - exponent) });
    return { exponent, ticks };
  }

  function logTicks(low, high, target) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const ticks = [];
    const add = (m, k, label) => {
      const value = Number(`${m}e${k}`);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push({ value, label });
    };
    if (last > first) { /* labels at decades, or at every stride-th */
      const stride = Math.floor((last - first) / (target + 2)) + 1;
      const plain = first >= -2 && last <= 3;
      for (let k = first - 1; k <= last; k++) {
        const label = plain || k === 0 || k === 1 ? decimal(1, k) : '10' + raise(k);
        add(1, k, k % stride === 0 ? label : '');
        for (let m = 2; stride === 1 && m < 10; m++) add(m, k, '');
      }
      return { exponent: 0, ticks };
    }
    const exponent = commonExponent(low, high);
    for (let k = first - 1; k <= last; k++)
      for (let m = 1; m < 10; m++) add(m, k, [1, 2, 5].includes(m) ? decimal(m, k - exponent) : '');
    if (ticks.filter((tick) => tick.label).length >= 3) return { exponent, ticks };
    return linearTicks(low, high, target);
  }

  /* ---- axes ---- */

  const AIR = 0.04; /* of the range, at both ends: see axis.c */
  const FLAT = 0.05; /* of the one value there is, on either side */

  function spread(log, low, high) {
    if (!(low <= high)) return [0, 1];
    const span = high - low, largest = Math.max(Math.abs(low), Math.abs(high));
    if (log) {
      const air = span <= 1e-10 ? Math.log10(1 + FLAT) : Math.min(AIR * span, 1);
      return [low - air, high + air];
    }
    if (largest < 1e-290) return [-1, 1];
    if (span <= 1e-10 * largest) return [low - FLAT * largest, high + FLAT * largest];
    const [a, b] = [low - AIR * span, high + AIR * span]; /* but not across zero */
    return [low >= 0 && a < 0 ? 0 : a, high <= 0 && b > 0 ? 0 : b];
  }

  /* Markers around a point, about the same ink each: those of svg_series.c. The last is open; numbers beyond it are the first ones, open. */
  const MARKERS = ['m-2.8 0a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z', 'm-2.5-2.5h5v5h-5z', 'm0-3.6l3.4 6h-6.8z',
    'm0-3.7l3.7 3.7l-3.7 3.7l-3.7-3.7z', 'm0 3.6l-3.4-6h6.8z', 'm-1-3.6h2v2.6h2.6v2h-2.6v2.6h-2v-2.6h-2.6v-2h2.6z',
    'm-3.3-1.9l1.4-1.4l1.9 1.9l1.9-1.9l1.4 1.4l-1.9 1.9l1.9 1.9l-1.4 1.4l-1.9-1.9l-1.9 1.9l-1.4-1.4l1.9-1.9z',
    'm-3.2-3h6.4l-6.4 6h6.4z', 'm-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0z'];
  const markerOf = ({ marker }) => MARKERS[marker < MARKERS.length ? marker : marker - MARKERS.length];

  /* Numbers with a unit in a text, "at 4.893 N", "2 to 5 Hz": as the reader has chosen, with at least four digits. */
  const NUMBER = '-?\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?', WORD = '(?:sqrt\\(kg\\)|Hz|rad|kg|Pa|[mNsJW])(?:\\^-?\\d)?';
  const TOLD = new RegExp(`(?<![\\w.^-])(${NUMBER}(?: (?:to|and|or) ${NUMBER})*) ((?:1/)?${WORD}(?:[ /]${WORD})*)(?![\\w(^/])`, 'g');
  const tell = (text) => (!msDisplay.there ? text : text.replace(TOLD, (all, numbers, unit) => {
    const view = msDisplay.view(/^(Hz|rad\/s)$/.test(unit) ? 'frequency' : '', unit);
    const show = (number) => readable(Number(view.map(Number(number)).toPrecision(Math.max(4, number.replace(/e.*|\D/g, '').length))));
    return `${view.unit === unit ? numbers : numbers.replace(new RegExp(NUMBER, 'g'), show)} ${msNumber.unitText(view.unit)}`;
  }));

  /* ω and f change with the unit, a damping ratio becomes Q, a modal amplitude the motion of a sensor:
     convert.c. */
  function labelOf({ label, quantity }, view) {
    if (view.inverse) return 'Q';
    if (view.sensor) return `${['displacement', 'velocity', 'acceleration'][view.motion]}${/^where /.test(view.sensor) ? '' : ' at'} ${view.sensor}`;
    if (quantity !== 'frequency') return label || '';
    const [from, to] = view.unit === 'Hz' ? [/^ω(?=_|$)/, 'f'] : [/^f(?=_|$)/, 'ω'];
    return (label || '').replace(from, to);
  }

  class Axis {
    /* rows: names in place of numbers, the last at 1. Panels of a figure may share an axis. */
    constructor(spec, rows) {
      Object.assign(this, { spec, rows, log: spec.log, label: spec.label || '', unit: spec.unit || '' });
      this.also = []; /* more values to be shown */
    }
    /* How values are shown, as the reader has chosen; what is known beside them must be so in all series. */
    look(series) {
      const known = { mode: series.every((s) => s.mode), omega: series.every((s) => s.raw.omega) };
      const view = msDisplay.there ? msDisplay.view(this.spec.quantity || '', this.spec.unit, known) : null;
      this.unit = msNumber.unitText(view ? view.unit : this.spec.unit || '');
      this.label = view ? labelOf(this.spec, view) : this.spec.label || '';
      this.map = view ? view.map : (value) => value;
    }
    /* A value as t; NaN if it cannot be shown. */
    convert(value, mode, omega) {
      const shown = this.map(value, mode, omega);
      return this.log && !(shown > 0) ? NaN : this.toT(shown);
    }
    /* Shows all of these t, now and after a reset. */
    fit(all) {
      let low = Infinity, high = -Infinity;
      const also = this.also.map((value) => this.convert(value));
      for (const values of [...all, also, this.rows ? [0.5, this.rows.length + 0.5] : []]) {
        for (const t of values) {
          if (t < low) low = t;
          if (t > high) high = t;
        }
      }
      this.home = spread(this.log, low, high);
      this.reset();
    }
    toT(value) { return this.log ? Math.log10(value) : value; }
    toValue(t) { return this.log ? 10 ** t : t; }
    reset() { [this.a, this.b] = this.home; }
    isHome() { return this.a === this.home[0] && this.b === this.home[1]; }
    place(t) { return (t - this.a) / (this.b - this.a); }
    /* Shows [a, b], as far as it lies in the home range and is not too narrow for a double. */
    show(a, b) {
      const [low, high] = this.home;
      if (!(b - a > 1e-11 * Math.max(Math.abs(a), Math.abs(b), 1e-9 * (high - low)))) return;
      if (b - a >= high - low) return this.reset();
      const shift = Math.max(low - a, 0) + Math.min(high - b, 0);
      [this.a, this.b] = [a + shift, b + shift];
    }
    zoom(factor, place) {
      const t = this.a + place * (this.b - this.a);
      this.show(t - (t - this.a) * factor, t + (this.b - t) * factor);
    }
    pan(part) {
      this.show(this.a + part * (this.b - this.a), this.b + part * (this.b - this.a));
    }
    ticks(target) {
      if (this.rows) {
        const ticks = this.rows.map((label, i) => ({ value: this.rows.length - i, label }));
        return { exponent: 0, ticks: ticks.filter(({ value }) => value >= this.a && value <= this.b) };
      }
      return (this.log ? logTicks : linearTicks)(
        this.toValue(this.a), this.toValue(this.b), Math.max(target, 3));
    }
    title(exponent) {
      const unit = [exponent ? '10' + raise(exponent) : '', this.unit].filter(Boolean).join(' ');
      return unit ? `${this.label} [${unit}]`.trim() : this.label;
    }
    read(t) {
      if (this.rows) return this.rows[this.rows.length - Math.round(t)] || '';
      return `${readable(this.toValue(t))} ${this.unit}`.trim();
    }
    say() {
      if (this.rows) return this.rows.join(', ');
      const [low, high] = [this.a, this.b].map((t) => readable(Number(this.toValue(t).toPrecision(3))));
      return `${low} to ${high}${this.log ? ', logarithmic' : ''}`;
    }
  }

  /* ---- series ---- */

  /* The same text, or about the same number. */
  const alike = (a, b) => String(a) === String(b) ||
    (String(a) !== '' && Math.abs(Number(a) - Number(b)) <= 1e-7 * Math.abs(Number(b)));

  class Series {
    constructor(spec) {
      const { label, line, points, area, cloud, mode, key } = spec, n = spec.y.length;
      Object.assign(this, { label, line, points, area, cloud, mode, visible: true });
      this.key = key || (label ? { label } : {});
      this.dash = (['', ' dashed'][spec.dash || 0] ?? ` d${spec.dash}`) + (spec.band ? ' band' : '');
      this.marker = spec.marker ?? MARKERS.length - 1;
      this.colour = spec.colour < 0 ? 'n' : String(spec.colour);
      const x = spec.x.length === undefined
        ? Float64Array.from({ length: n }, (_, i) => spec.x.start + i * spec.x.step)
        : Float64Array.from(spec.x);
      this.raw = { x, y: Float64Array.from(spec.y), low: spec.low, high: spec.high, omega: spec.omega };
    }
    /* x, y (and low, high, the ends of error bars) in t, of the points that can be shown; at: which of
       all points they are. */
    convert(xAxis, yAxis) {
      const { x, y, low, high, omega } = this.raw, n = y.length, at = new Uint32Array(n);
      const out = [new Float64Array(n), new Float64Array(n)];
      if (low) out.push(new Float64Array(n), new Float64Array(n));
      let m = 0;
      this.sorted = true;
      for (let i = 0; i < n; i++) {
        const w = omega ? omega[i] : undefined;
        out[0][m] = xAxis.convert(x[i], this.mode, w);
        out[1][m] = yAxis.convert(y[i], this.mode, w);
        if (!Number.isFinite(out[0][m] + out[1][m])) continue;
        if (low) { /* an end that cannot be shown is at the edge */
          const ends = [low, high].map((v) => yAxis.convert(v[i], this.mode, w));
          const turned = ends[0] > ends[1] || (ends[1] < out[1][m]);
          [out[2][m], out[3][m]] = turned ? ends.reverse() : ends;
        }
        if (m > 0 && out[0][m] < out[0][m - 1]) this.sorted = false;
        at[m++] = i;
      }
      [this.x, this.y, this.low, this.high] = out.map((values) => values.subarray(0, m));
      this.at = at.subarray(0, m);
      this.n = m;
    }
    /* What the y axis has to show; of a bar that goes to zero on a logarithmic one, a decade. */
    heights(log) {
      if (!this.low) return [this.y];
      const low = log ? this.low.map((t, i) => Math.max(t, this.y[i] - 1)) : this.low;
      return [this.y, low.filter(Number.isFinite), this.high.filter(Number.isFinite)];
    }
    /* The first index whose x is not below t. */
    find(t) {
      let low = 0, high = this.n;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.x[middle] < t) low = middle + 1;
        else high = middle;
      }
      return low;
    }
    /* The point whose x is nearest to t. */
    findNearest(t) {
      if (this.sorted) {
        const i = this.find(t);
        return i > 0 && (i === this.n || t - this.x[i - 1] < this.x[i] - t) ? i - 1 : i;
      }
      return this.x.reduce((best, x, i) => (Math.abs(x - t) < Math.abs(this.x[best] - t) ? i : best), 0);
    }
    /* What may be in sight, and one point more at both ends. */
    range(axis) {
      if (!this.sorted) return [0, this.n];
      return [Math.max(this.find(axis.a) - 1, 0), Math.min(this.find(axis.b) + 2, this.n)];
    }
    /* Whether it belongs to what is selected: all that both name agrees, and something does. */
    isOf(key) {
      const both = Object.keys(this.key).filter((name) => name in key);
      return both.length > 0 && both.every((name) => alike(this.key[name], key[name]));
    }
  }

  /* A path of line segments, each cut to the box that is a little larger than the plot: a browser
     draws badly what is a million pixels away. */
  class Pen {
    constructor(width, height) {
      this.box = [-20, -20, width + 20, height + 20];
      this.path = [];
      this.before = this.end = null;
    }
    to(x, y) {
      if (this.before) this.segment(this.before[0], this.before[1], x, y);
      this.before = [x, y];
    }
    segment(x0, y0, x1, y1) { /* Liang and Barsky */
      const dx = x1 - x0, dy = y1 - y0;
      const [left, top, right, bottom] = this.box;
      let from = 0, upTo = 1;
      for (const [p, q] of [[-dx, x0 - left], [dx, right - x0], [-dy, y0 - top], [dy, bottom - y0]]) {
        if (p === 0 && q < 0) return;
        if (p < 0) from = Math.max(from, q / p);
        if (p > 0) upTo = Math.min(upTo, q / p);
      }
      if (from > upTo) return;
      const place = (s) => `${(x0 + s * dx).toFixed(1)} ${(y0 + s * dy).toFixed(1)}`;
      const start = place(from), end = place(upTo);
      if (start !== this.end) this.path.push('M', start);
      this.path.push('L', end);
      this.end = end;
    }
  }

  /* The outline of an area, cut to the same box as lines are (Sutherland and Hodgman). */
  function areaPath(series, view) {
    const [left, top, right, bottom] = [-20, -20, view.width + 20, view.height + 20];
    let outline = Array.from(series.x, (x, i) => [view.px(x), view.py(series.y[i])]);
    for (const [k, edge, sign] of [[0, left, 1], [0, right, -1], [1, top, 1], [1, bottom, -1]]) {
      const depth = (p) => sign * (p[k] - edge);
      outline = outline.flatMap((p, i) => {
        const before = outline.at(i - 1), a = depth(before), b = depth(p), s = a / (a - b);
        const cut = (a < 0) !== (b < 0) ? [before.map((v, j) => v + s * (p[j] - v))] : [];
        return b < 0 ? cut : [...cut, p];
      });
    }
    return outline.length ? `M${outline.map((p) => p.map((v) => v.toFixed(1)).join(' ')).join('L')}Z` : '';
  }

  /* Of neighbours in one column of pixels only the first, lowest, highest and last are drawn. */
  function linePath(series, view) {
    const pen = new Pen(view.width, view.height);
    const [begin, end] = series.range(view.x);
    let column = NaN, first, low, high, last;
    const flush = () => {
      const kept = first === last ? [last] : [...new Set([first, low, high, last])].sort((i, j) => i - j);
      for (const i of kept) pen.to(view.px(series.x[i]), view.py(series.y[i]));
    };
    for (let i = begin; i < end; i++) {
      const here = Math.floor(view.px(series.x[i]));
      if (here !== column) {
        if (i > begin) flush();
        column = here;
        first = low = high = i;
      }
      if (series.y[i] < series.y[low]) low = i;
      if (series.y[i] > series.y[high]) high = i;
      last = i;
    }
    if (end > begin) flush();
    return pen.path.join('');
  }

  /* Calls visit(i, px, py) for the points in sight. */
  function eachPoint(series, view, visit) {
    const [begin, end] = series.range(view.x);
    for (let i = begin; i < end; i++) {
      const px = view.px(series.x[i]), py = view.py(series.y[i]);
      if (px > -4 && px < view.width + 4 && py > -4 && py < view.height + 4) visit(i, px, py);
    }
  }

  /* One element, however many points there are: for each the same stroke, or marker. */
  function pointPath(series, view, shape) {
    const path = [];
    let x = -9, y = -9;
    eachPoint(series, view, (i, px, py) => {
      if (Math.abs(px - x) < 0.4 && Math.abs(py - y) < 0.4) return;
      path.push(`M${px.toFixed(1)} ${py.toFixed(1)}${shape}`);
      [x, y] = [px, py];
    });
    return path.join('');
  }

  /* Error bars with caps; one that goes below a logarithmic axis ends at the edge. */
  function barPath(series, view) {
    const path = [], [begin, end] = series.range(view.x), limit = (py) => Math.min(Math.max(py, -20), view.height + 20);
    for (let i = begin; i < end; i++) {
      const px = view.px(series.x[i]), high = view.py(series.high[i]), low = view.py(series.low[i]);
      if (!(px > -9 && px < view.width + 9) || series.high[i] === series.low[i]) continue;
      const [top, bottom] = [Number.isFinite(high) ? limit(high) : 0, Number.isFinite(low) ? limit(low) : view.height];
      path.push(`M${px.toFixed(1)} ${top.toFixed(1)}V${bottom.toFixed(1)}`);
      if (top === high) path.push(`M${(px - 3).toFixed(1)} ${top.toFixed(1)}h6`);
      if (bottom === low) path.push(`M${(px - 3).toFixed(1)} ${bottom.toFixed(1)}h6`);
    }
    return path.join('');
  }

  function nearest(panel, px, py) {
    let best = null, least = Infinity;
    for (const series of panel.series.filter((s) => s.visible)) {
      eachPoint(series, panel, (i, x, y) => {
        const distance = (x - px) ** 2 + (y - py) ** 2;
        if (distance < least) [best, least] = [{ series, i, x, y }, distance];
      });
    }
    return best;
  }

  /* ---- panels ---- */

  const TOP = 8, BOTTOM = 46, RIGHT = 16, CHARACTER = 6.4, SPILL = 5;
  let lastScroll = -Infinity;
  addEventListener('scroll', () => { lastScroll = performance.now(); }, { passive: true });

  class Panel {
    /* The axes may be those of other panels, too. */
    constructor(spec, figure, x, y) {
      Object.assign(this, { spec, figure, x, y });
      this.series = spec.series.map((series) => new Series(series));
      this.pointers = new Map();
      this.reading = this.selection = this.guide = null;
      this.overlay = svg('g');
      this.build();
      this.listen();
    }

    build() {
      this.svg = svg('svg', { class: 'ms-plot', tabindex: 0, role: 'group' });
      this.readout = html('div', { class: 'ms-readout', role: 'status', hidden: '' });
      this.home = button('ms-reset', 'Reset zoom', () => this.reset());
      this.plot = html('div', { class: 'ms-area' }, this.svg, this.readout, this.home);
      this.root = html('div', { class: 'ms-panel' });
      this.heading = html('h4');
      if (this.spec.title) this.root.append(this.heading);
    }
    /* What is drawn, for those who hear it, and the names, which may have units. */
    say() {
      const names = this.series.map((series) => tell(series.label || '')).filter(Boolean);
      this.heading.replaceChildren(richHtml(tell(this.spec.title || '')));
      this.series.forEach((series) => series.name?.replaceChildren(richHtml(tell(series.label))));
      const axis = (a) => `${a.title(0) || 'values'}, ${a.say()}`;
      const text = [tell(this.spec.title || ''), `${axis(this.y)}; against ${axis(this.x)}`,
        names.length ? `Curves: ${names.join(', ')}` : null,
        'Arrows read points, shift and arrows pan, plus and minus zoom, 0 resets'];
      this.svg.setAttribute('aria-label', `${text.filter(Boolean).join('. ')}.`);
    }
    legend() { return html('div', { class: 'ms-legend' }, ...this.series.filter((s) => s.label).map((s) => this.entry(s))); }

    /* The sample shows or hides a curve, a double click on it shows it alone or all; the name marks it. */
    entry(series) {
      const swatch = svg('svg', { class: 'ms-swatch', width: 24, height: 12, 'aria-hidden': 'true' });
      if (series.area) swatch.append(this.area(series, 'M1 1H23V11H1Z'));
      if (series.cloud) swatch.append(this.cloud(series, 'M6 5h.01M12 8h.01M18 5h.01'));
      if (series.line) swatch.append(this.line(series, 'M1 6H23'));
      if (series.points) swatch.append(this.markers(series, `M12 6${markerOf(series)}`));
      const { figure } = this;
      const toggle = series.toggle = button('ms-toggle', '', () => figure.toggle(series, !series.visible));
      toggle.ondblclick = () => {
        const others = this.series.filter((s) => s !== series && s.label);
        const alone = others.some((s) => s.visible);
        others.forEach((s) => figure.toggle(s, !alone));
        figure.toggle(series, true);
      };
      fill(toggle, { 'aria-pressed': true, 'aria-label': `Show ${series.label}`,
        title: 'Show or hide; double-click: alone, or all' }, [swatch]);
      series.name = button('ms-name', '', () => figure.pick(figure.keyOf(series), null));
      fill(series.name, { title: 'Mark it in all panels and tables of this section' }, [richHtml(series.label)]);
      return html('span', { class: 'ms-entry', 'data-label': series.label }, toggle, series.name);
    }
    /* A curve more, without an entry. */
    add(spec) {
      const series = new Series(spec);
      series.convert(this.x, this.y);
      this.series.push(series);
      return series;
    }
    /* Other points in place of those it has. */
    put(series, points) {
      Object.assign(series.raw, points);
      series.convert(this.x, this.y);
    }

    /* -- drawing -- */

    line(series, d) {
      return svg('path', { class: `line${series.dash} l${series.colour}`, d });
    }
    area(series, d) { return svg('path', { class: `area p${series.colour}`, d }); }
    cloud(series, d) { return svg('path', { class: `cloud l${series.colour}`, d }); }
    bars(series, d) { return svg('path', { class: `bar l${series.colour}`, d }); }
    markers(series, d) {
      const open = series.marker >= MARKERS.length - 1;
      return svg('path', { class: open ? `open l${series.colour}` : `point p${series.colour}`, d });
    }
    px(t) { return this.width * this.x.place(t); }
    py(t) { return this.height * (1 - this.y.place(t)); }

    request() {
      this.frame = this.frame || requestAnimationFrame(() => { this.frame = 0; this.draw(); });
    }
    resize() {
      const width = this.plot.clientWidth;
      if (!width) return;
      const whole = Math.min(Math.max(0.6 * width, Math.min(250, 1.05 * width)), this.tallest || 430);
      this.height = Math.round((whole - TOP - BOTTOM) * (this.spec.height || 1));
      this.outerWidth = width;
      this.outerHeight = this.height + TOP + (this.hideX ? 14 : BOTTOM);
      this.draw();
    }
    /* Room at the left. */
    gutter() {
      if (this.hideY) return 12;
      const { ticks } = this.y.ticks(Math.floor(this.height / 42));
      return Math.round(34 + Math.max(1, ...ticks.map((tick) => tick.label.length)) * CHARACTER);
    }
    setTallest(height) {
      this.tallest = height;
      this.resize();
    }
    /* Fewer labels until they stand clear of each other. */
    xTicks() {
      for (let target = Math.floor(this.width / 58); ; target--) {
        const { exponent, ticks } = this.x.ticks(target);
        const labels = ticks.filter((tick) => tick.label);
        const widest = Math.max(0, ...labels.map((tick) => tick.label.length)) * CHARACTER;
        const room = labels.map((tick, i) => i === 0 ? Infinity
          : this.px(this.x.toT(tick.value)) - this.px(this.x.toT(labels[i - 1].value)));
        if (target <= 3 || Math.min(...room) > widest + 8) return { exponent, ticks };
      }
    }
    draw() {
      if (!this.outerWidth) return;
      const y = this.y.ticks(Math.floor(this.height / 42));
      this.left = this.figure.left(this);
      this.width = this.outerWidth - this.left - RIGHT;
      const x = this.xTicks();
      const body = svg('g', { transform: `translate(${this.left} ${TOP})` });
      this.drawAxes(body, x, y);
      body.append(this.curves());
      for (const note of this.spec.notes) this.drawNote(body, note);
      this.overlay = svg('g');
      body.append(this.overlay);
      fill(this.svg, { viewBox: `0 0 ${this.outerWidth} ${this.outerHeight}`,
        width: this.outerWidth, height: this.outerHeight }, []).replaceChildren(body);
      this.home.hidden = this.isHome();
      this.drawOverlay();
    }
    drawAxes(body, x, y) {
      const { width: w, height: h } = this;
      const line = (name, d) => body.append(svg('path', { class: name, d }));
      const kind = (axis, tick) => (!axis.log && tick.value === 0 ? 'zero' : 'grid');
      const atX = (tick) => this.px(this.x.toT(tick.value)), atY = (tick) => this.py(this.y.toT(tick.value));
      for (const tick of x.ticks) if (tick.label) line(kind(this.x, tick), `M${atX(tick)} 0V${h}`);
      for (const tick of y.ticks) if (tick.label) line(kind(this.y, tick), `M0 ${atY(tick)}H${w}`);
      line('axis', `M0 0V${h}H${w}`);
      for (const tick of x.ticks) {
        line('axis', `M${atX(tick)} ${h}v${tick.label ? 5 : 3}`);
        if (tick.label && !this.hideX) body.append(richSvg('tick mid', atX(tick), h + 18, tick.label));
      }
      for (const tick of y.ticks) {
        line('axis', `M0 ${atY(tick)}h${tick.label ? -5 : -3}`);
        if (tick.label && !this.hideY) body.append(richSvg('tick end', -9, atY(tick) + 4, tick.label));
      }
      /* Smaller where a panel is shorter than the title of its axis; where that could not be read, the unit alone. */
      const title = (axis, tick, length, place) => {
        let name = axis.title(tick.exponent);
        if (axis.unit && length < 0.7 * 7 * name.length) name = name.slice(axis.label.length).trim();
        const fit = Math.min(1, length / (7 * name.length));
        body.append(richSvg('name mid', 0, 0, name, { transform: `${place} scale(${fit.toFixed(3)})` }));
      };
      if (!this.hideX) title(this.x, x, w + RIGHT, `translate(${w / 2} ${h + 39})`);
      if (!this.hideY) title(this.y, y, h + 12, `translate(${13 - this.left} ${h / 2}) rotate(-90)`);
    }
    isHome() { return this.x.isHome() && this.y.isHome(); }
    /* An inner svg element clips what is drawn in it; a marker at the edge may stand out a little. */
    curves() {
      const spill = this.isHome() ? SPILL : 0, w = this.width + 2 * spill, h = this.height + 2 * spill;
      const out = svg('svg', { class: 'ms-curves', x: -spill, y: -spill, width: w, height: h,
        viewBox: `${-spill} ${-spill} ${w} ${h}` });
      const some = this.series.some((series) => series.chosen);
      const group = (series, child) => out.append(svg('g', { 'data-label': series.label,
        class: `ms-curve${some ? (series.chosen ? ' chosen' : ' faded') : ''}` }, child));
      const shown = this.series.filter((series) => series.visible && series.n > 0);
      for (const s of shown) if (s.area) group(s, this.area(s, areaPath(s, this)));
      for (const s of shown) if (s.cloud) group(s, this.cloud(s, pointPath(s, this, 'h.01')));
      for (const s of shown) if (s.low) group(s, this.bars(s, barPath(s, this)));
      const markers = (s) => group(s, this.markers(s, pointPath(s, this, markerOf(s))));
      shown.filter((s) => s.points && !s.line).forEach(markers); /* many points would hide a line */
      for (const s of shown) if (s.line) group(s, this.line(s, linePath(s, this)));
      shown.filter((s) => s.points && s.line).forEach(markers);
      return out;
    }
    drawNote(body, note) {
      const x = this.px(this.x.convert(note.x)), y = this.py(this.y.convert(note.y));
      if (!(x >= 0 && x <= this.width && y >= 0 && y <= this.height)) return;
      const text = tell(note.text), flip = x + text.length * CHARACTER > this.width;
      body.append(richSvg(flip ? 'note end' : 'note', x, y + 4, text));
    }

    /* The crosshair with its values, or the rectangle that is being drawn. */
    drawOverlay() {
      const { overlay, reading: r, selection: s, width: w, height: h } = this;
      overlay.replaceChildren();
      this.readout.hidden = !r;
      for (const { series, i } of this.marked || []) {
        overlay.append(svg('circle', { class: `ms-mark l${series.colour}`, r: 7,
          cx: this.px(series.x[i]), cy: this.py(series.y[i]) }));
      }
      const guide = this.guide === null ? NaN : this.px(this.guide);
      if (!r && guide >= 0 && guide <= w) overlay.append(svg('path', { class: 'ms-cross', d: `M${guide} 0V${h}` }));
      if (s) overlay.append(svg('rect', { class: 'ms-selection', x: s.x, y: s.y, width: s.w, height: s.h }));
      if (!r) return;
      const x = this.px(r.series.x[r.i]), y = this.py(r.series.y[r.i]);
      overlay.append(svg('path', { class: 'ms-cross', d: `M${x} 0V${h}M0 ${y}H${w}` }),
        svg('circle', { class: `ms-ring l${r.series.colour}`, cx: x, cy: y, r: 5 }));
      const row = (name, value) => html('div', {}, html('span', {}, richHtml(name || '·')),
        html('b', {}, richHtml(value)));
      const { series } = r;
      this.readout.replaceChildren(row(this.x.label, this.x.read(series.x[r.i])),
        row(this.y.label, this.y.read(series.y[r.i])));
      if (series.low && series.high[r.i] > series.low[r.i]) this.readout.append(
        row('from, to', [series.low, series.high].map((end) => this.y.read(end[r.i])).join(', ')));
      if (r.series.label) this.readout.prepend(html('strong', {}, richHtml(tell(r.series.label))));
      const { offsetWidth: rw, offsetHeight: rh } = this.readout;
      const right = x + 14 + rw < w;
      this.readout.style.left = `${this.left + Math.max(right ? x + 14 : x - 14 - rw, -this.left)}px`;
      this.readout.style.top = `${TOP + Math.min(Math.max(y - rh - 12, 0), h - rh)}px`;
    }

    /* -- reading, zooming, panning -- */

    change() {
      this.figure.read(this, null);
      this.figure.linked(this).forEach((panel) => panel.request());
    }
    reset() {
      this.x.reset();
      this.y.reset();
      this.change();
    }
    /* Where the pointer is, in px from the corner of the plot, and on which axes it acts there. */
    locate(event) {
      const box = this.svg.getBoundingClientRect();
      const scale = this.outerWidth / box.width;
      const x = (event.clientX - box.left) * scale - this.left;
      const y = (event.clientY - box.top) * scale - TOP;
      return { x, y, onX: x >= 0, onY: y <= this.height };
    }
    zoom(factor, at) {
      if (at.onX) this.x.zoom(factor, at.x / this.width);
      if (at.onY) this.y.zoom(factor, 1 - at.y / this.height);
      this.change();
    }
    pan(dx, dy, at) {
      if (at.onX) this.x.pan(-dx / this.width);
      if (at.onY) this.y.pan(dy / this.height);
      this.change();
    }
    read(at) {
      const inside = at.x >= 0 && at.x <= this.width && at.y >= 0 && at.y <= this.height;
      this.figure.read(this, inside ? nearest(this, at.x, at.y) : null);
      if (this.onread) this.onread(this.reading);
    }
    /* Along a curve by `by` points, or to another one at about the same place. */
    step(by, other) {
      const all = this.series.filter((s) => s.visible && s.n > 0 && !s.area);
      if (!all.length) return;
      const { series, i } = this.reading || {};
      let to = series || all[0];
      if (other && series) to = all[(all.indexOf(series) + other + all.length) % all.length];
      const from = !series ? -by : to === series ? i : to.findNearest(series.x[i]) - by;
      this.figure.read(this, { series: to, i: Math.min(Math.max(from + by, 0), to.n - 1) });
      if (this.onread) this.onread(this.reading);
    }

    listen() {
      const { svg: node } = this;
      node.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
      node.onpointerdown = (event) => this.down(event);
      node.onpointermove = (event) => this.move(event);
      node.onpointerup = (event) => this.up(event);
      node.onpointercancel = (event) => this.release(event);
      node.onpointerleave = (event) => { if (!this.drag && event.pointerType === 'mouse') this.change(); };
      node.ondblclick = () => this.reset();
      node.onkeydown = (event) => this.key(event);
    }
    /* The wheel is the page's while it scrolls past, and when there is nothing to zoom out of. */
    wheel(event) {
      const turn = (event.deltaY || event.deltaX) * (event.deltaMode === 1 ? 16 : 1);
      if (performance.now() - lastScroll < 250) return;
      if (turn > 0 && this.isHome()) return;
      event.preventDefault();
      const at = this.locate(event);
      if (event.shiftKey) at.onY = false;
      this.zoom(Math.exp(0.002 * Math.min(Math.max(turn, -300), 300)), at);
    }
    down(event) {
      if (event.button !== 0 && event.button !== 1) return;
      const at = this.locate(event);
      this.pointers.set(event.pointerId, at);
      if (event.pointerType === 'touch') return this.read(at);
      this.drag = { from: at, pan: event.shiftKey || event.button === 1 || !at.onX || !at.onY };
      this.svg.setPointerCapture(event.pointerId);
      this.svg.classList.toggle('panning', this.drag.pan);
    }
    move(event) {
      const at = this.locate(event), before = this.pointers.get(event.pointerId);
      if (before) this.pointers.set(event.pointerId, at);
      if (this.pointers.size === 2 && before) this.pinch(event.pointerId, before, at);
      else if (!this.drag) this.read(at);
      else if (this.drag.pan) this.pan(at.x - before.x, at.y - before.y, this.drag.from);
      else this.select(at);
    }
    pinch(id, before, at) {
      const other = [...this.pointers].find(([key]) => key !== id)[1];
      const apart = (p) => Math.max(Math.hypot(p.x - other.x, p.y - other.y), 1);
      const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2, onX: true, onY: true };
      this.pan((at.x - before.x) / 2, (at.y - before.y) / 2, middle);
      this.zoom(apart(before) / apart(at), middle);
    }
    /* A rectangle; a band over the whole panel if it is drawn very flat or very narrow. */
    select(at) {
      const { from } = this.drag, limit = (v, most) => Math.min(Math.max(v, 0), most);
      let [x0, x1] = [limit(from.x, this.width), limit(at.x, this.width)].sort((p, q) => p - q);
      let [y0, y1] = [limit(from.y, this.height), limit(at.y, this.height)].sort((p, q) => p - q);
      const small = Math.max(x1 - x0, y1 - y0) < 6;
      if (y1 - y0 < 12) [y0, y1] = [0, this.height];
      else if (x1 - x0 < 12) [x0, x1] = [0, this.width];
      this.reading = null;
      this.selection = small ? null : { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
      this.drawOverlay();
    }
    up(event) {
      const s = this.selection, from = this.drag && this.drag.from, at = this.locate(event);
      if (from && !s && Math.hypot(at.x - from.x, at.y - from.y) < 6) { /* a click */
        this.read(at);
        if (this.onpick) this.onpick();
        else this.pick(at);
      }
      if (s) {
        const { x, y } = this, dx = x.b - x.a, dy = y.b - y.a;
        x.show(x.a + dx * s.x / this.width, x.a + dx * (s.x + s.w) / this.width);
        y.show(y.b - dy * (s.y + s.h) / this.height, y.b - dy * s.y / this.height);
      }
      this.release(event);
      if (s) this.change();
    }
    /* Marks the curve at a place and what belongs to it; where there is none, nothing any more. */
    pick(at) {
      const r = this.reading;
      const near = r && Math.hypot(this.px(r.series.x[r.i]) - at.x, this.py(r.series.y[r.i]) - at.y) < 14;
      this.figure.pick(near ? r.series.key : null, near ? this.point(r) : null);
    }
    /* The values of a point under the names of their columns, as the tables have them. */
    point({ series, i }) {
      const at = series.at[i], { x, y } = this;
      return { ...(x.spec.column && { [x.spec.column]: series.raw.x[at] }),
        ...(y.spec.column && { [y.spec.column]: series.raw.y[at] }) };
    }
    /* Marks curves and points; a point has the names of both columns. Nothing for key null. */
    mark(key, point) {
      const { x, y } = this;
      const names = [x.spec.column, y.spec.column];
      this.marked = [];
      for (const series of this.series) {
        series.chosen = Boolean(key && series.isOf(key));
        if (!point || !series.visible || (key && !series.chosen) || !names.every((name) => name in point)) continue;
        const i = series.at.findIndex((at) => alike(series.raw.x[at], point[names[0]]) && alike(series.raw.y[at], point[names[1]]));
        if (i >= 0) this.marked.push({ series, i });
      }
      this.request();
    }
    release(event) {
      this.pointers.delete(event.pointerId);
      this.drag = this.selection = null;
      this.svg.classList.remove('panning');
      this.request();
    }
    key(event) {
      const centre = { x: this.width / 2, y: this.height / 2, onX: true, onY: true };
      const by = 0.1 * this.width;
      const arrows = { ArrowLeft: [by, 0], ArrowRight: [-by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] };
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], PageUp: [-20, 0],
        PageDown: [20, 0] };
      const factors = { '+': 0.8, '=': 0.8, '-': 1.25 };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (arrows[event.key] && event.shiftKey) this.pan(...arrows[event.key], centre);
      else if (steps[event.key]) this.step(...steps[event.key]);
      else if (event.key === 'Enter' && this.reading) {
        this.figure.pick(this.reading.series.key, this.point(this.reading));
      }
      else if (factors[event.key]) this.zoom(factors[event.key], centre);
      else if (event.key === '0' || event.key === 'Escape') this.reset();
      else return;
      event.preventDefault();
    }
  }

  return { Axis, Panel, alike, html, button, richHtml, readable, tell, scrolledAt: () => lastScroll };
})();
