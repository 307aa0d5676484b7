/* Mode shapes and fields on faces in a report page, drawn on a canvas from their data (shape_data.c).
   Gives `msShape(figure)`, which puts the live picture before the still one as soon as the figure is
   nearly in sight; the still one stays for pages without scripts. On paper there is a picture of each mode.

   The view is that of shape_still.c: turned by yaw about z, raised by pitch, without perspective; what
   lies and moves in the plane of x and z is seen from the front. Faces and lines are sorted by their
   distance and drawn from the farthest on. */
const msShape = (() => {
  'use strict';
  const { html, button, readable, scrolledAt } = msPlot;

  /* ---- data ---- */

  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const BITS = new Uint8Array(128);
  [...LETTERS].forEach((letter, i) => { BITS[letter.charCodeAt(0)] = i; });

  /* Differences to the number `stride` before, five bits a letter from the lowest on. */
  function numbers(text, stride) {
    const out = [];
    let value = 0, scale = 1;
    for (let i = 0; i < text.length; i++) {
      const bits = BITS[text.charCodeAt(i)];
      value += (bits & 31) * scale;
      scale *= 32;
      if (bits > 31) continue;
      const difference = value % 2 ? -(value + 1) / 2 : value / 2;
      out.push(difference + (out.length < stride ? 0 : out[out.length - stride]));
      value = 0;
      scale = 1;
    }
    return out;
  }

  /* ---- colours: viridis, dark to bright, in steps of size and of light ---- */

  const MAP = [[68, 1, 84], [70, 50, 127], [54, 92, 141], [39, 127, 142], [31, 161, 135], [74, 194, 109],
    [159, 218, 58], [253, 231, 37]];
  const SIZES = 48, LIGHTS = 12;
  function mapped(t) {
    const at = Math.min(Math.max(t, 0), 1) * (MAP.length - 1), i = Math.min(Math.floor(at), MAP.length - 2);
    return MAP[i].map((c, k) => c + (at - i) * (MAP[i + 1][k] - c));
  }
  const FILL = Array.from({ length: SIZES * LIGHTS }, (_, i) => {
    const light = 0.7 + 0.3 * (i % LIGHTS) / (LIGHTS - 1);
    return `rgb(${mapped(Math.floor(i / LIGHTS) / (SIZES - 1)).map((c) => Math.round(c * light)).join()})`;
  });
  const fillOf = (size, light) =>
    FILL[LIGHTS * Math.round(size * (SIZES - 1)) + Math.round(light * (LIGHTS - 1))];

  /* ---- a body: numbers only, no canvas ---- */

  const HOME = { yaw: 0.5236, pitch: 0.4363, zoom: 1, dx: 0, dy: 0 };
  const FRONT = { ...HOME, yaw: 0, pitch: 0 };
  const NEARER = 2e-3; /* of the size: lines are drawn before their faces */
  const BUCKETS = 65536;
  const JOINT = 1, SPRING = 2, THIN = 3; /* styles of lines */
  const MASS = 1, GROUND = 2; /* styles of marks */

  class Body {
    constructor(data) {
      this.x = Float64Array.from(numbers(data.x, 3)); /* from the middle of the box, in steps */
      this.n = this.x.length / 3;
      this.faces = Int32Array.from(numbers(data.faces, 4));
      this.lines = Int32Array.from(numbers(data.lines, 2));
      this.closed = data.closed;
      this.marks = data.marks;
      const side = [0, 1, 2].map((a) => 2 * this.farthest(a));
      this.size = Math.hypot(...side) || 1;
      const onFace = new Uint8Array(this.n);
      this.faces.forEach((node) => { onFace[node] = 1; });
      this.nFace = this.faces.length / 4;
      this.nLine = this.lines.length / 2;
      this.styles = data.styles ? numbers(data.styles, 1) : new Uint8Array(this.nLine);
      this.isBeam = Uint8Array.from({ length: this.nLine },
        (_, i) => !(onFace[this.lines[2 * i]] && onFace[this.lines[2 * i + 1]]));
      this.spots = new Float64Array(3 * this.n); /* across, up, near */
      this.rest = new Float64Array(3 * this.n);
      this.near = new Float64Array(this.nFace + this.nLine);
      this.order = new Int32Array(this.nFace + this.nLine);
      this.modes = (data.modes || []).map((mode) => this.mode(mode));
      const isFlat = (v) => v.every((value, i) => i % 3 !== 1 || value === 0);
      this.isPlane = isFlat(this.x) && this.modes.every((m) => isFlat(m.u) && (!m.beside || isFlat(m.beside.u)));
      this.home = this.isPlane ? FRONT : HOME;
    }
    farthest(a) {
      let most = 0;
      for (let i = a; i < this.x.length; i += 3) most = Math.max(most, Math.abs(this.x[i]));
      return most;
    }
    /* Displacements over the largest, and their sizes from 0 to 1. */
    mode({ name, value, omega, folded, u, beside }) {
      const steps = numbers(u, 3), sizes = new Float64Array(this.n);
      let largest = 0;
      for (let i = 0; i < this.n; i++) {
        sizes[i] = Math.hypot(steps[3 * i], steps[3 * i + 1], steps[3 * i + 2]);
        largest = Math.max(largest, sizes[i]);
      }
      const scale = largest > 0 ? 1 / largest : 0;
      return { name, value, omega, folded, u: Float64Array.from(steps, (v) => v * scale),
        sizes: sizes.map((v) => v * scale), beside: beside && this.mode(beside) };
    }
    /* Where the nodes are seen, `by` times the displacements u added. */
    project(view, u, by, out) {
      const cy = Math.cos(view.yaw), sy = Math.sin(view.yaw), cp = Math.cos(view.pitch), sp = Math.sin(view.pitch);
      for (let i = 0; i < 3 * this.n; i += 3) {
        const x = this.x[i] + by * u[i], y = this.x[i + 1] + by * u[i + 1], z = this.x[i + 2] + by * u[i + 2];
        const into = -x * sy + y * cy;
        out[i] = x * cy + y * sy;
        out[i + 1] = z * cp + into * sp;
        out[i + 2] = z * sp - into * cp;
      }
    }
    /* Twice the area of a face as it is seen, above 0 from outside; `light` becomes the part of its
       area that is. By its diagonals, which is right for a triangle with its third corner twice. */
    seen(k) {
      const s = this.spots, f = this.faces;
      const a = 3 * f[4 * k], b = 3 * f[4 * k + 1], c = 3 * f[4 * k + 2], d = 3 * f[4 * k + 3];
      const x1 = s[c] - s[a], y1 = s[c + 1] - s[a + 1], z1 = s[c + 2] - s[a + 2];
      const x2 = s[d] - s[b], y2 = s[d + 1] - s[b + 1], z2 = s[d + 2] - s[b + 2];
      const nx = y1 * z2 - z1 * y2, ny = z1 * x2 - x1 * z2, nz = x1 * y2 - x2 * y1;
      this.light = Math.abs(nz) / (Math.hypot(nx, ny, nz) || 1);
      return nz;
    }
    /* Fills `order` with what is to be drawn, farthest first; returns how many. */
    sort() {
      const { spots, faces, lines, near, nFace } = this, list = [];
      let low = Infinity, high = -Infinity;
      const add = (k, value) => {
        near[k] = value;
        low = Math.min(low, value);
        high = Math.max(high, value);
        list.push(k);
      };
      for (let k = 0; k < nFace; k++) {
        if (this.closed && this.seen(k) <= 0) continue;
        const f = 4 * k, triangle = faces[f + 3] === faces[f + 2];
        const sum = spots[3 * faces[f] + 2] + spots[3 * faces[f + 1] + 2] + spots[3 * faces[f + 2] + 2];
        add(k, triangle ? sum / 3 : (sum + spots[3 * faces[f + 3] + 2]) / 4);
      }
      for (let k = 0; k < this.nLine; k++) {
        const mean = (spots[3 * lines[2 * k] + 2] + spots[3 * lines[2 * k + 1] + 2]) / 2;
        add(nFace + k, mean + NEARER * this.size);
      }
      this.bucket(list, low, (BUCKETS - 1) / (high - low || 1));
      return list.length;
    }
    bucket(list, low, scale) {
      const { near, order } = this, start = new Int32Array(BUCKETS + 1);
      for (const k of list) start[Math.floor((near[k] - low) * scale) + 1]++;
      for (let i = 0; i < BUCKETS; i++) start[i + 1] += start[i];
      for (const k of list) order[start[Math.floor((near[k] - low) * scale)]++] = k;
    }
    /* The box around what is seen from home with the body at rest: its half sides. */
    extent() {
      this.project(this.home, this.x, 0, this.rest);
      let w = 0, h = 0;
      for (let i = 0; i < 3 * this.n; i += 3) {
        w = Math.max(w, Math.abs(this.rest[i]));
        h = Math.max(h, Math.abs(this.rest[i + 1]));
      }
      return [w + 0.06 * this.size, h + (this.isPlane ? 0.2 : 0.06) * this.size]; /* a plane moves upwards */
    }
  }

  /* ---- the picture: what modes and fields have in common ---- */

  const FINE = 8000; /* faces: from here on their edges are not drawn */
  const NARROW = 560; /* px: two pictures stand below each other */
  const STILLS = 6; /* modes on paper */
  const still = matchMedia('(prefers-reduced-motion: reduce)');

  /* A subclass has `panes()`, a list of { u, by, sizes, title } to draw side by side, `describe()` for
     who does not see it, `step(by)` for N and P, and `tick(now)` while it plays. */
  class Viewer {
    constructor(data, name) {
      this.body = new Body(data);
      this.name = name;
      this.view = { ...this.body.home };
      this.pointers = new Map();
      this.moving = this.asked = false;
      this.canvas = html('canvas', { class: 'ms-canvas', tabindex: 0, role: 'img' });
    }
    start(...controls) {
      this.play = button('ms-tool', this.playWord, () => this.animate(!this.moving));
      this.play.setAttribute('aria-pressed', 'false');
      const reset = button('ms-tool', 'Reset view', () => this.reset());
      this.root = html('div', { class: 'ms-viewer' },
        html('div', { class: 'ms-controls' }, ...controls, this.play, reset), this.canvas);
      this.listen();
      this.heed();
      new ResizeObserver(() => this.request()).observe(this.canvas);
      new MutationObserver(() => this.request())
        .observe(document.documentElement, { attributeFilter: ['data-theme'] });
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.request());
      still.addEventListener('change', () => this.heed());
    }
    /* Nothing moves for readers who have asked for that. */
    heed() {
      this.play.disabled = still.matches;
      this.play.title = still.matches ? 'Off: your system asks for less motion' : '';
      if (still.matches && this.moving) this.animate(false);
    }
    listen() {
      const { canvas } = this;
      canvas.onpointerdown = (event) => this.down(event);
      canvas.onpointermove = (event) => this.move(event);
      canvas.onpointerup = canvas.onpointercancel = (event) => this.pointers.delete(event.pointerId);
      canvas.ondblclick = () => this.reset();
      canvas.onkeydown = (event) => this.key(event);
      canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    }

    /* ---- what the reader does ---- */

    changed() {
      this.canvas.setAttribute('aria-label', `${this.name} ${this.describe()} ${this.help}`);
      this.request();
    }
    animate(on) {
      this.moving = on && !still.matches;
      this.began = performance.now();
      this.play.setAttribute('aria-pressed', this.moving);
      this.request();
    }
    reset() {
      this.view = { ...this.body.home };
      this.request();
    }
    turn(dx, dy) {
      this.view.yaw -= dx;
      this.view.pitch = Math.min(Math.max(this.view.pitch + dy, -Math.PI / 2), Math.PI / 2);
      this.request();
    }
    zoom(factor) {
      this.view.zoom = Math.min(Math.max(this.view.zoom * factor, 0.2), 40);
      this.request();
    }
    down(event) {
      if (event.button !== 0) return;
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (event.pointerType !== 'touch') this.canvas.setPointerCapture(event.pointerId);
    }
    move(event) {
      const before = this.pointers.get(event.pointerId);
      if (!before) return;
      const at = { x: event.clientX, y: event.clientY }, dx = at.x - before.x, dy = at.y - before.y;
      const half = this.pointers.size > 1 ? 0.5 : 1; /* each finger reports its own half */
      if (this.pointers.size === 2) this.pinch(event.pointerId, before, at);
      this.pointers.set(event.pointerId, at);
      if (!event.shiftKey) return this.turn(0.008 * half * dx, 0.008 * half * dy);
      this.view.dx += dx;
      this.view.dy += dy;
      this.request();
    }
    pinch(id, before, at) {
      const other = [...this.pointers].find(([key]) => key !== id)[1];
      const apart = (p) => Math.max(Math.hypot(p.x - other.x, p.y - other.y), 1);
      this.zoom(apart(at) / apart(before));
    }
    /* As for plots: the wheel is the page's while it scrolls past, and at the whole. */
    wheel(event) {
      if (performance.now() - scrolledAt() < 250) return;
      if (event.deltaY > 0 && this.view.zoom <= 1) return;
      event.preventDefault();
      this.zoom(Math.exp(-0.002 * Math.min(Math.max(event.deltaY * (event.deltaMode === 1 ? 16 : 1), -300), 300)));
    }
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = {
        ArrowLeft: () => this.turn(-0.12, 0), ArrowRight: () => this.turn(0.12, 0),
        ArrowUp: () => this.turn(0, -0.12), ArrowDown: () => this.turn(0, 0.12),
        '+': () => this.zoom(1.25), '=': () => this.zoom(1.25), '-': () => this.zoom(0.8),
        n: () => this.step(1), p: () => this.step(-1),
        ' ': () => this.animate(!this.moving), 0: () => this.reset(), Escape: () => this.reset(),
      };
      const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      act();
      event.preventDefault();
    }

    /* ---- drawing ---- */

    request() {
      if (this.asked) return;
      this.asked = true;
      requestAnimationFrame((now) => {
        this.asked = false;
        if (this.moving) this.tick(now);
        this.draw();
        if (this.moving && this.isShown()) this.request();
        else if (this.moving) this.waitUntilShown();
      });
    }
    isShown() {
      const box = this.canvas.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight && !document.hidden;
    }
    waitUntilShown() {
      const watch = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watch.disconnect();
        this.request();
      });
      watch.observe(this.canvas);
    }
    /* Sets the canvas up; false if there is no room to draw in. */
    prepare(styled = this.canvas) {
      const { canvas } = this, w = canvas.clientWidth, h = canvas.clientHeight, fine = canvas.fine || devicePixelRatio || 1;
      if (!w || !h) return false;
      if (canvas.width !== Math.round(w * fine) || canvas.height !== Math.round(h * fine)) {
        canvas.width = Math.round(w * fine);
        canvas.height = Math.round(h * fine);
      }
      const pen = this.pen = canvas.getContext('2d');
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.clearRect(0, 0, canvas.width, canvas.height);
      pen.setTransform(fine, 0, 0, fine, 0, 0);
      const style = getComputedStyle(styled);
      this.colour = Object.fromEntries(['text', 'muted', 'zero', 'background', 'c1']
        .map((name) => [name, style.getPropertyValue(`--${name}`)]));
      this.font = style.fontFamily;
      return true;
    }
    /* The part of the canvas in which pane i of n stands. */
    frame(i, n) {
      const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
      const below = w < NARROW, box = below ? [0, i * h / n, w, h / n] : [i * w / n, 0, w / n, h];
      const [x, y, width, height] = box, [ew, eh] = this.body.extent();
      const scale = this.view.zoom * Math.min(width / 2 / ew, height / 2 / eh);
      this.px = (s, k) => x + width / 2 + this.view.dx + scale * s[3 * k];
      this.py = (s, k) => y + height / 2 + this.view.dy - scale * s[3 * k + 1];
      return box;
    }
    draw() {
      const panes = this.panes();
      this.canvas.classList.toggle('ms-two', panes.length > 1);
      if (!this.prepare()) return;
      const { pen } = this;
      panes.forEach((pane, i) => {
        const box = this.box = this.frame(i, panes.length);
        pen.save();
        pen.beginPath();
        pen.rect(...box);
        pen.clip();
        this.drawPane(pane);
        if (pane.title) this.write(pane.title, box[0] + 10, box[1] + 20);
        pen.restore();
      });
      this.canvas.dataset.drawn = Number(this.canvas.dataset.drawn || 0) + 1; /* for tests */
    }
    drawPane({ u, by, sizes }) {
      const { body } = this;
      body.project(this.view, u, 0, body.rest);
      body.project(this.view, u, by, body.spots);
      if (by) this.drawRest();
      if (!body.nFace) this.drawEdge();
      const n = body.shown = body.sort();
      for (let i = 0; i < n; i++) {
        const k = body.order[i];
        if (k < body.nFace) this.drawFace(k, sizes);
        else this.drawLine(k - body.nFace, sizes);
      }
      for (const mark of body.marks) this.drawMark(mark, sizes);
    }
    drawRest() {
      const { pen, body } = this, { lines, rest } = body;
      pen.beginPath();
      for (let i = 0; i < lines.length; i += 2) {
        if (body.styles[i / 2] === JOINT) continue;
        pen.moveTo(this.px(rest, lines[i]), this.py(rest, lines[i]));
        pen.lineTo(this.px(rest, lines[i + 1]), this.py(rest, lines[i + 1]));
      }
      pen.strokeStyle = this.colour.zero;
      pen.lineWidth = 1;
      pen.stroke();
    }
    /* Around beams: dark colours would be lost on a dark page. */
    drawEdge() {
      const { pen, body } = this, { lines, spots } = body;
      pen.beginPath();
      for (let k = 0; k < body.nLine; k++) {
        if (body.styles[k]) continue;
        pen.moveTo(this.px(spots, lines[2 * k]), this.py(spots, lines[2 * k]));
        pen.lineTo(this.px(spots, lines[2 * k + 1]), this.py(spots, lines[2 * k + 1]));
      }
      pen.lineCap = 'round';
      this.stroke(this.colour.muted, 5.6);
    }
    outline(k) {
      const { pen, body } = this, { faces, spots } = body, f = 4 * k, n = faces[f + 3] === faces[f + 2] ? 3 : 4;
      pen.beginPath();
      for (let i = 0; i < n; i++) pen.lineTo(this.px(spots, faces[f + i]), this.py(spots, faces[f + i]));
      pen.closePath();
    }
    /* Of a face, 0 to 1; NaN: it has none. */
    sizeOf(k, sizes) {
      const { faces } = this.body, f = 4 * k, n = faces[f + 3] === faces[f + 2] ? 3 : 4;
      let size = 0;
      for (let i = 0; i < n; i++) size += sizes[faces[f + i]] / n;
      return size;
    }
    drawFace(k, sizes) {
      const { pen, body } = this, size = this.sizeOf(k, sizes);
      this.outline(k);
      body.seen(k);
      pen.fillStyle = Number.isNaN(size) ? NONE : fillOf(size, body.light);
      pen.fill();
      pen.strokeStyle = body.nFace < FINE ? 'rgb(0 0 0 / 0.28)' : pen.fillStyle;
      pen.lineWidth = 0.6;
      pen.stroke();
    }
    stroke(colour, width, dash = []) {
      const { pen } = this;
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.setLineDash(dash);
      pen.stroke();
      pen.setLineDash([]);
    }
    drawLine(k, sizes) {
      const { pen, body } = this, { lines, spots } = body, a = lines[2 * k], b = lines[2 * k + 1];
      const from = [this.px(spots, a), this.py(spots, a)], to = [this.px(spots, b), this.py(spots, b)];
      pen.lineCap = 'round';
      pen.beginPath();
      if (body.styles[k] === SPRING) this.zigzag(from, to);
      else {
        pen.moveTo(...from);
        pen.lineTo(...to);
      }
      if (body.styles[k] === SPRING || body.styles[k] === THIN) return this.stroke(this.colour.muted, 1.6);
      if (body.styles[k] === JOINT) return this.stroke(this.colour.c1, 3, [7, 6]);
      if (!body.isBeam[k] || !sizes) return this.stroke(this.colour.text, 1.1);
      this.stroke(fillOf((sizes[a] + sizes[b]) / 2, 1), 4);
    }
    /* A spring: leads of a quarter at each end, teeth between them. */
    zigzag([x, y], [tx, ty]) {
      const { pen } = this, dx = tx - x, dy = ty - y, length = Math.hypot(dx, dy), TEETH = 8;
      const side = length > 0 ? Math.min(6, 0.15 * length) / length : 0;
      pen.moveTo(x, y);
      for (let i = 0; i <= TEETH; i++) {
        const at = 0.25 + 0.5 * i / TEETH, off = i === 0 || i === TEETH ? 0 : i % 2 ? side : -side;
        pen.lineTo(x + at * dx - off * dy, y + at * dy + off * dx);
      }
      pen.lineTo(tx, ty);
    }
    write(text, x, y) {
      const { pen } = this;
      pen.font = `600 13px ${this.font}`;
      pen.lineJoin = 'round';
      pen.strokeStyle = this.colour.background;
      pen.lineWidth = 4;
      pen.strokeText(text, x, y);
      pen.fillStyle = this.colour.text;
      pen.fillText(text, x, y);
    }
    drawMark({ node, label, style }, sizes) {
      const { pen, body } = this, { background, text, c1 } = this.colour;
      const x = this.px(body.spots, node), y = this.py(body.spots, node);
      pen.beginPath();
      if (style === MASS) {
        pen.rect(x - 10, y - 10, 20, 20);
        pen.fillStyle = fillOf(sizes ? sizes[node] : 0, 1);
        pen.fill();
        this.stroke(text, 1.4);
      } else if (style === GROUND) { /* a hatched square */
        pen.rect(x - 9, y - 9, 18, 18);
        pen.fillStyle = background;
        pen.fill();
        for (const [a, b, c, d] of [[-9, -9, 9, 9], [0, -9, 9, 0], [-9, 0, 0, 9]]) {
          pen.moveTo(x + a, y + b);
          pen.lineTo(x + c, y + d);
        }
        this.stroke(text, 1.4);
      } else {
        pen.arc(x, y, 5, 0, 2 * Math.PI);
        pen.fillStyle = c1;
        pen.fill();
        this.stroke(background, 1.6);
      }
      if (!label) return;
      pen.font = `600 13px ${this.font}`;
      const width = pen.measureText(label).width, [left, , room] = this.box; /* to the left of it at the right edge */
      this.write(label, x + 9 + width > left + room ? x - 9 - width : x + 9, y - (style === MASS ? 14 : 6));
    }
  }

  const gradient = () => `linear-gradient(to right, ${MAP.map((c) => `rgb(${c.join()})`).join()})`;
  const rounded = (value, digits) => readable(Number(value.toPrecision(digits)));
  const option = (value, text) => html('option', { value }, text);

  /* ---- modes ---- */

  const MOTION = 8, MOST = 30; /* percent of the size: largest displacement at first, and at most */
  const PERIOD = 1600; /* ms */
  const isDisplay = typeof msDisplay !== 'undefined' && msDisplay.there;
  function frequency(omega) {
    const { unit, map } = isDisplay ? msDisplay.view('frequency', 'rad/s')
      : { unit: 'Hz', map: (v) => v / (2 * Math.PI) };
    return `${rounded(map(omega), 5)} ${unit}`;
  }

  class Modes extends Viewer {
    constructor(data, name) {
      super(data, name);
      const { modes, isPlane } = this.body, folded = modes.filter((mode) => mode.folded).length;
      this.playWord = 'Animate';
      this.help = 'Drag or arrow keys turn, shift and drag moves, wheel or plus and minus zoom, ' +
        'N and P change the mode, space sets it in motion, 0 resets.';
      this.sides = data.sides || ['', ''];
      this.unfolded = folded === modes.length;
      this.part = 1;
      this.select = html('select', { 'aria-label': 'Mode' });
      this.select.onchange = () => this.choose(Number(this.select.value));
      this.amplitude = html('input', { type: 'range', min: 0, max: MOST, step: 0.5, value: (isPlane ? 2 : 1) * MOTION,
        'aria-label': 'Amplitude, percent of the size of the body' });
      this.amplitude.oninput = () => this.request();
      const scale = html('span', { class: 'ms-scale', role: 'img', 'aria-label': 'Colour: size of the displacement, from 0 to the largest' },
        '0', html('i', {}), 'largest');
      scale.querySelector('i').style.background = gradient();
      const controls = [this.select];
      if (modes.some((mode) => mode.beside)) controls.push(this.chooseSide());
      if (folded && folded < modes.length) controls.push(this.chooseFolded(folded));
      controls.push(html('label', {}, 'Amplitude ', this.amplitude), scale);
      this.start(...controls);
      if (isDisplay) msDisplay.listen(() => this.list());
      this.current = this.listed()[0];
      this.list();
    }
    chooseSide() {
      this.side = html('select', { class: 'ms-side', 'aria-label': 'Which of two shapes' },
        option(0, this.sides[0]), option(1, this.sides[1]), option(2, 'side by side'));
      this.side.onchange = () => this.list();
      return this.side;
    }
    chooseFolded(n) {
      this.more = button('ms-tool', `Show ${n} rigid-body mode${n > 1 ? 's' : ''}`, () => {
        this.unfolded = !this.unfolded;
        this.more.setAttribute('aria-pressed', this.unfolded);
        if (!this.listed().includes(this.current)) [this.current] = this.listed();
        this.list();
      });
      this.more.setAttribute('aria-pressed', 'false');
      return this.more;
    }
    /* The modes that are in the list, by their numbers in the data. */
    listed() {
      const all = this.body.modes.map((_, i) => i);
      return this.unfolded ? all : all.filter((i) => !this.body.modes[i].folded);
    }
    text({ name, value, omega }) {
      return [name, omega ? frequency(omega) : '', value].filter(Boolean).join(', ');
    }
    list() {
      const chosen = this.side && Number(this.side.value) === 1;
      const { modes } = this.body;
      this.select.replaceChildren(...this.listed().map((i) =>
        option(i, this.text((chosen && modes[i].beside) || modes[i]))));
      this.choose(this.current);
    }
    choose(index) {
      this.current = index;
      this.select.value = index;
      this.changed();
    }
    step(by) {
      const all = this.listed(), n = all.length;
      this.choose(all[(all.indexOf(this.current) + by + n) % n]);
    }
    tick(now) { this.part = Math.cos(2 * Math.PI * (now - this.began) / PERIOD); }
    animate(on) {
      this.part = 1;
      super.animate(on);
    }
    shown() {
      const mode = this.body.modes[this.current], which = this.side && mode.beside ? Number(this.side.value) : 0;
      return which === 2 ? [[0, mode], [1, mode.beside]] : [which ? [1, mode.beside] : [0, mode]];
    }
    describe() {
      return `${this.shown().map(([side, mode]) =>
        [this.side && mode.omega ? this.sides[side] : '', this.text(mode)].filter(Boolean).join(': ')).join('; ')}.`;
    }
    /* For paper: the modes of the list as pictures of their own, in light colours and the view of the screen. */
    stills() {
      const all = this.listed(), most = all.slice(0, STILLS), { canvas, current, part, view } = this;
      const size = { clientWidth: { value: 330 }, clientHeight: { value: 200 }, fine: { value: 2 } };
      this.view = { ...view, zoom: this.body.home.zoom, dx: 0, dy: 0 };
      this.part = 1;
      const pictures = most.map((i) => {
        const mode = this.body.modes[i], name = this.text(mode);
        this.current = i;
        this.canvas = Object.defineProperties(html('canvas', { role: 'img', 'aria-label': name }), size);
        this.prepare(canvas);
        this.box = this.frame(0, 1);
        this.drawPane({ u: mode.u, sizes: mode.sizes, by: this.amplitude.value / 100 * this.body.size });
        return html('div', {}, this.canvas, html('p', {}, name));
      });
      Object.assign(this, { canvas, current, part, view });
      this.request();
      const side = this.side ? `, ${this.sides[0]}` : '';
      const rest = all.length > STILLS ? `The first ${STILLS} of ${all.length} modes${side}; the others are in the HTML report only.` :
        this.side ? `Modes ${side.slice(2)}; ${this.sides[1]} ones are in the HTML report only.` : '';
      return html('div', { class: 'ms-stills' }, ...pictures, ...(rest ? [html('p', { class: 'ms-rest' }, rest)] : []));
    }
    panes() {
      const all = this.shown(), by = this.part * this.amplitude.value / 100 * this.body.size;
      return all.map(([side, mode]) => ({ u: mode.u, sizes: mode.sizes, by,
        title: all.length > 1 ? `${this.sides[side]}: ${this.text(mode)}` : '' }));
    }
  }

  /* ---- fields on faces ---- */

  const STEPS = 4095, PAUSE = 350; /* ms from frame to frame */
  const NONE = 'rgb(150 150 150)';

  class Fields extends Viewer {
    constructor(data, name) {
      super(data, name);
      this.data = data;
      this.n = data.frames;
      this.fields = data.fields.map((field) => this.field(field));
      this.at = this.n - 1;
      this.current = 0;
      this.playWord = 'Play';
      this.help = 'Drag or arrow keys turn, shift and drag moves, wheel or plus and minus zoom, ' +
        'N and P go from frame to frame, space plays them, 0 resets. Point at a face to read its value.';
      this.select = html('select', { 'aria-label': 'Field' }, ...this.fields.map((f, i) => option(i, f.name)));
      this.select.onchange = () => { this.current = Number(this.select.value); this.show(); };
      this.slider = html('input', { type: 'range', class: 'ms-frames', min: 0, max: this.n - 1, step: 1, value: this.at,
        'aria-label': data.frameName || 'Frame' });
      this.slider.oninput = () => { this.at = Number(this.slider.value); this.show(); };
      this.frameText = html('b', {});
      this.scale = html('div', { class: 'ms-field-scale' });
      this.readout = html('div', { class: 'ms-readout', hidden: '' });
      this.start(...(this.fields.length > 1 ? [this.select] : []),
        html('label', {}, `${data.frameName || 'Frame'} `, this.slider), this.frameText);
      if (this.n < 2) this.slider.disabled = this.play.disabled = true;
      this.root.append(this.scale, this.readout);
      this.canvas.addEventListener('pointermove', (event) => this.read(event));
      this.canvas.addEventListener('pointerleave', () => { this.readout.hidden = true; });
      this.show();
    }
    /* Where each value lies in the range, 0 to 1; NaN: none. */
    field({ name, unit, nodes, log, range, values }) {
      const each = nodes ? this.body.n : this.body.nFace;
      const parts = Float32Array.from(numbers(values, each), (v) => (v ? (v - 1) / STEPS : NaN));
      const value = (part) => {
        const v = range[0] + part * (range[1] - range[0]);
        return log ? Math.exp(v) : v;
      };
      return { name, unit: unit ? ` ${unit}` : '', nodes, log, range, each, parts, value };
    }
    say(field, part) {
      return Number.isNaN(part) ? 'none' : `${rounded(field.value(part), 4)}${field.unit}`;
    }
    frameWords() {
      const { frameValues, frameUnit, frameTexts } = this.data;
      const value = frameValues ? `${rounded(frameValues[this.at], 4)}${frameUnit ? ` ${frameUnit}` : ''}`
        : `${this.at + 1} of ${this.n}`;
      return [value, frameTexts && frameTexts[this.at]].filter(Boolean).join(', ');
    }
    now() {
      const field = this.fields[this.current];
      return { field, parts: field.parts.subarray(field.each * this.at, field.each * (this.at + 1)) };
    }
    show() {
      const words = this.frameWords(), { field } = this.now();
      this.slider.value = this.at;
      this.slider.setAttribute('aria-valuetext', words);
      this.frameText.textContent = words;
      const bar = html('i', {});
      bar.style.background = gradient();
      const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => html('span', {}, rounded(field.value(part), 3)));
      const grey = field.parts.some(Number.isNaN) ? '; grey: none' : '';
      this.scale.replaceChildren(...(field.range ? [`${field.name}${field.unit && `,${field.unit}`}${grey}`, bar,
        html('div', {}, ...ticks)] : [`${field.name}: no values`]));
      this.changed();
    }
    describe() {
      const { field, parts } = this.now(), there = parts.filter((part) => !Number.isNaN(part));
      const low = there.reduce((a, b) => Math.min(a, b), 1), high = there.reduce((a, b) => Math.max(a, b), 0);
      const span = there.length ? `from ${this.say(field, low)} to ${this.say(field, high)}` : 'no values';
      return `${field.name}, ${this.data.frameName || 'frame'} ${this.frameWords()}: ${span}.`;
    }
    step(by) {
      this.at = (this.at + by + this.n) % this.n;
      this.show();
    }
    tick(now) {
      if (now - this.began < PAUSE) return;
      this.began = now;
      this.step(1);
    }
    panes() { return [{ u: this.body.x, by: 0, sizes: null }]; }
    sizeOf(k) {
      const { field, parts } = this.now();
      return field.nodes ? super.sizeOf(k, parts) : parts[k];
    }
    /* The nearest face under a point, -1: none. */
    faceAt(x, y) {
      const { body, pen } = this, fine = devicePixelRatio || 1;
      for (let i = body.shown; i-- > 0;) {
        const k = body.order[i];
        if (k >= body.nFace) continue;
        this.outline(k);
        if (pen.isPointInPath(x * fine, y * fine)) return k;
      }
      return -1;
    }
    cornerAt(k, x, y) {
      const { faces, spots } = this.body;
      const far = (node) => Math.hypot(this.px(spots, node) - x, this.py(spots, node) - y);
      return [...faces.subarray(4 * k, 4 * k + 4)].reduce((a, b) => (far(b) < far(a) ? b : a));
    }
    read(event) {
      if (this.pointers.size || !this.pen) return;
      const { field, parts } = this.now(), x = event.offsetX, y = event.offsetY, k = this.faceAt(x, y);
      this.readout.hidden = k < 0;
      if (k < 0) return;
      const index = field.nodes ? this.cornerAt(k, x, y) : k;
      this.readout.replaceChildren(html('strong', {}, this.say(field, parts[index])),
        `${field.nodes ? 'node' : 'face'} ${index + 1}`);
      const { canvas, readout } = this;
      readout.style.left = `${Math.min(canvas.offsetLeft + x + 14, canvas.offsetLeft + canvas.offsetWidth - readout.offsetWidth)}px`;
      readout.style.top = `${canvas.offsetTop + y + 14}px`;
    }
  }

  function begin(figure) {
    const data = JSON.parse(figure.querySelector('script').textContent);
    const caption = figure.querySelector('.caption'), name = caption ? caption.textContent.trim() : '';
    const viewer = data.fields ? new Fields(data, name || 'Field') : new Modes(data, name || 'Mode shape:');
    figure.prepend(viewer.root);
    figure.classList.add('live');
    figure.viewer = viewer;
  }

  addEventListener('beforeprint', () => {
    const root = document.documentElement, { theme } = root.dataset;
    root.dataset.theme = 'light';
    document.querySelectorAll('.ms-shape').forEach((figure) => {
      if (!figure.viewer) begin(figure);
      if (figure.viewer.stills) figure.prepend(figure.viewer.stills());
    });
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
  });
  addEventListener('afterprint', () => document.querySelectorAll('.ms-stills').forEach((node) => node.remove()));

  return (figure) => {
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      if (!figure.viewer) begin(figure);
    }, { rootMargin: '400px' });
    watch.observe(figure);
  };
})();
