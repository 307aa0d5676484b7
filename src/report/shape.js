/* Mode shapes of a report page, drawn on a canvas from the data of a shape (shape_data.c). Gives
   `msShape(figure)`, which puts the live picture before the still one; that stays for paper.

   The view is that of shape_still.c: turned by yaw about z, raised by pitch, without perspective.
   Faces and lines are sorted by their distance and drawn from the farthest on. */
const msShape = (() => {
  'use strict';
  const { html, button, scrolledAt } = msPlot;

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
  const NEARER = 2e-3; /* of the size: lines are drawn before their faces */
  const BUCKETS = 65536;

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
      this.modes = data.modes.map((mode) => this.mode(mode));
      const onFace = new Uint8Array(this.n);
      this.faces.forEach((node) => { onFace[node] = 1; });
      this.nFace = this.faces.length / 4;
      this.nLine = this.lines.length / 2;
      this.isBeam = Uint8Array.from({ length: this.nLine },
        (_, i) => !(onFace[this.lines[2 * i]] && onFace[this.lines[2 * i + 1]]));
      this.spots = new Float64Array(3 * this.n); /* across, up, near */
      this.rest = new Float64Array(3 * this.n);
      this.near = new Float64Array(this.nFace + this.nLine);
      this.order = new Int32Array(this.nFace + this.nLine);
    }
    farthest(a) {
      let most = 0;
      for (let i = a; i < this.x.length; i += 3) most = Math.max(most, Math.abs(this.x[i]));
      return most;
    }
    /* Displacements over the largest, and their sizes from 0 to 1. */
    mode({ name, value, u }) {
      const steps = numbers(u, 3), sizes = new Float64Array(this.n);
      let largest = 0;
      for (let i = 0; i < this.n; i++) {
        sizes[i] = Math.hypot(steps[3 * i], steps[3 * i + 1], steps[3 * i + 2]);
        largest = Math.max(largest, sizes[i]);
      }
      const scale = largest > 0 ? 1 / largest : 0;
      return { text: value ? `${name}, ${value}` : name, u: Float64Array.from(steps, (v) => v * scale),
        sizes: sizes.map((v) => v * scale) };
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
      this.project(HOME, this.x, 0, this.rest);
      let w = 0, h = 0;
      for (let i = 0; i < 3 * this.n; i += 3) {
        w = Math.max(w, Math.abs(this.rest[i]));
        h = Math.max(h, Math.abs(this.rest[i + 1]));
      }
      return [w + 0.06 * this.size, h + 0.06 * this.size];
    }
  }

  /* ---- the picture ---- */

  const MOTION = 8, MOST = 30; /* percent of the size: largest displacement at first, and at most */
  const PERIOD = 1600; /* ms */
  const FINE = 8000; /* faces: from here on their edges are not drawn */
  const HELP = 'Drag or arrow keys turn, shift and drag moves, wheel or plus and minus zoom, ' +
    'N and P change the mode, space sets it in motion, 0 resets.';

  class Viewer {
    constructor(data, name) {
      this.body = new Body(data);
      this.view = { ...HOME };
      this.pointers = new Map();
      this.current = 0;
      this.moving = this.asked = false;
      this.build(name);
      this.listen();
      new ResizeObserver(() => this.request()).observe(this.canvas);
      new MutationObserver(() => this.request())
        .observe(document.documentElement, { attributeFilter: ['data-theme'] });
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.request());
      this.choose(0);
    }
    build(name) {
      const { modes } = this.body;
      this.canvas = html('canvas', { class: 'ms-canvas', tabindex: 0, role: 'img' });
      this.name = name;
      this.select = html('select', { 'aria-label': 'Mode' },
        ...modes.map((mode, i) => html('option', { value: i }, mode.text)));
      this.amplitude = html('input', { type: 'range', min: 0, max: MOST, step: 0.5, value: MOTION,
        'aria-label': 'Amplitude, percent of the size of the body' });
      this.play = button('ms-tool', 'Animate', () => this.animate(!this.moving));
      this.play.setAttribute('aria-pressed', 'false');
      const reset = button('ms-tool', 'Reset view', () => this.reset());
      const scale = html('span', { class: 'ms-scale', 'aria-label': 'Colour: size of the displacement, from 0 to the largest' },
        '0', html('i', {}), 'largest');
      scale.querySelector('i').style.background =
        `linear-gradient(to right, ${MAP.map((c) => `rgb(${c.join()})`).join()})`;
      this.root = html('div', { class: 'ms-viewer' },
        html('div', { class: 'ms-controls' }, this.select, this.play,
          html('label', {}, 'Amplitude ', this.amplitude), reset, scale), this.canvas);
    }
    listen() {
      const { canvas } = this;
      this.select.onchange = () => this.choose(Number(this.select.value));
      this.amplitude.oninput = () => this.request();
      canvas.onpointerdown = (event) => this.down(event);
      canvas.onpointermove = (event) => this.move(event);
      canvas.onpointerup = canvas.onpointercancel = (event) => this.pointers.delete(event.pointerId);
      canvas.ondblclick = () => this.reset();
      canvas.onkeydown = (event) => this.key(event);
      canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    }

    /* ---- what the reader does ---- */

    choose(index) {
      const n = this.body.modes.length;
      this.current = (index + n) % n;
      this.select.value = this.current;
      this.canvas.setAttribute('aria-label',
        `${this.name}: ${this.body.modes[this.current].text}. ${HELP}`);
      this.request();
    }
    animate(on) {
      this.moving = on;
      this.began = performance.now();
      this.play.setAttribute('aria-pressed', on);
      this.request();
    }
    reset() {
      this.view = { ...HOME };
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
        n: () => this.choose(this.current + 1), p: () => this.choose(this.current - 1),
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
        this.draw(now);
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
    prepare() {
      const { canvas } = this, w = canvas.clientWidth, h = canvas.clientHeight, fine = devicePixelRatio || 1;
      if (!w || !h) return false;
      if (canvas.width !== Math.round(w * fine) || canvas.height !== Math.round(h * fine)) {
        canvas.width = Math.round(w * fine);
        canvas.height = Math.round(h * fine);
      }
      const pen = this.pen = canvas.getContext('2d'), [ew, eh] = this.body.extent();
      const scale = this.scale = this.view.zoom * Math.min(w / 2 / ew, h / 2 / eh);
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.clearRect(0, 0, canvas.width, canvas.height);
      pen.setTransform(fine, 0, 0, fine, 0, 0);
      this.px = (s, i) => w / 2 + this.view.dx + scale * s[3 * i];
      this.py = (s, i) => h / 2 + this.view.dy - scale * s[3 * i + 1];
      const style = getComputedStyle(canvas);
      this.colour = Object.fromEntries(['text', 'muted', 'zero', 'background', 'c1']
        .map((name) => [name, style.getPropertyValue(`--${name}`)]));
      return true;
    }
    draw(now) {
      const { body } = this, mode = body.modes[this.current];
      if (!this.prepare()) return;
      const part = this.moving ? Math.cos(2 * Math.PI * (now - this.began) / PERIOD) : 1;
      body.project(this.view, mode.u, 0, body.rest);
      body.project(this.view, mode.u, part * this.amplitude.value / 100 * body.size, body.spots);
      this.drawRest();
      const n = body.sort();
      for (let i = 0; i < n; i++) {
        const k = body.order[i];
        if (k < body.nFace) this.drawFace(k, mode.sizes);
        else this.drawLine(k - body.nFace, mode.sizes);
      }
      this.drawMarks();
      this.canvas.dataset.drawn = Number(this.canvas.dataset.drawn || 0) + 1; /* for tests */
    }
    drawRest() {
      const { pen, body } = this, { lines, rest } = body;
      pen.beginPath();
      for (let i = 0; i < lines.length; i += 2) {
        pen.moveTo(this.px(rest, lines[i]), this.py(rest, lines[i]));
        pen.lineTo(this.px(rest, lines[i + 1]), this.py(rest, lines[i + 1]));
      }
      pen.strokeStyle = this.colour.zero;
      pen.lineWidth = 1;
      pen.stroke();
    }
    drawFace(k, sizes) {
      const { pen, body } = this, { faces, spots } = body, f = 4 * k;
      const n = faces[f + 3] === faces[f + 2] ? 3 : 4;
      let size = 0;
      pen.beginPath();
      for (let i = 0; i < n; i++) {
        const node = faces[f + i];
        size += sizes[node] / n;
        if (i) pen.lineTo(this.px(spots, node), this.py(spots, node));
        else pen.moveTo(this.px(spots, node), this.py(spots, node));
      }
      pen.closePath();
      body.seen(k);
      pen.fillStyle = fillOf(size, body.light);
      pen.fill();
      pen.strokeStyle = body.nFace < FINE ? 'rgb(0 0 0 / 0.28)' : pen.fillStyle;
      pen.lineWidth = 0.6;
      pen.stroke();
    }
    drawLine(k, sizes) {
      const { pen, body } = this, { lines, spots } = body, a = lines[2 * k], b = lines[2 * k + 1];
      pen.beginPath();
      pen.moveTo(this.px(spots, a), this.py(spots, a));
      pen.lineTo(this.px(spots, b), this.py(spots, b));
      pen.lineCap = 'round';
      pen.strokeStyle = body.isBeam[k] ? fillOf((sizes[a] + sizes[b]) / 2, 1) : this.colour.text;
      pen.lineWidth = body.isBeam[k] ? 4 : 1.1;
      pen.stroke();
    }
    drawMarks() {
      const { pen, body } = this, { text, background, c1 } = this.colour;
      pen.font = `600 13px ${getComputedStyle(this.canvas).fontFamily}`;
      pen.lineJoin = 'round';
      for (const { node, label } of body.marks) {
        const x = this.px(body.spots, node), y = this.py(body.spots, node);
        pen.beginPath();
        pen.arc(x, y, 5, 0, 2 * Math.PI);
        pen.fillStyle = c1;
        pen.fill();
        pen.strokeStyle = background;
        pen.lineWidth = 1.6;
        pen.stroke();
        if (!label) continue;
        pen.lineWidth = 4;
        pen.strokeText(label, x + 9, y - 6);
        pen.fillStyle = text;
        pen.fillText(label, x + 9, y - 6);
      }
    }
  }

  return (figure) => {
    const data = JSON.parse(figure.querySelector('script').textContent);
    const caption = figure.querySelector('.caption');
    const viewer = new Viewer(data, caption ? caption.textContent.trim() : 'Mode shape');
    figure.prepend(viewer.root);
    figure.classList.add('live');
    return viewer;
  };
})();
