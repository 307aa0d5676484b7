/* The first screen answers: key numbers, the worst warning and the featured figure's plotting area lie in it. Nothing overflows
   or is cut off, nothing is complained of or fetched, and axe-core finds nothing. On a laptop and on a telephone, in light and in
   dark. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { build, check } = require('./checks.js');

const SIZES = [[1366, 768], [390, 844]];
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

/* ---- in the page ---- */

/* What should be in the first screen and is not. */
function outside() {
  const faults = [];
  const inside = (node, name) => {
    const { left, top, right, bottom, width, height } = node.getBoundingClientRect();
    if (width < 1 || height < 1 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
      faults.push(`${name}: ${[left, top, right, bottom].map(Math.round)} in ${innerWidth} x ${innerHeight}`);
    }
  };
  const keys = [...document.querySelectorAll('#answer .ms-key')];
  if (keys.length < 1 || keys.length > 6) faults.push(`${keys.length} key numbers`);
  keys.forEach((key) => inside(key, `key number "${key.textContent}"`));
  const warning = document.querySelector('.ms-warnings .ms-warning');
  if (warning) inside(warning, `warning "${warning.textContent.slice(0, 60)}"`);
  const areas = [...document.querySelectorAll('#featured .ms-plot')];
  if (!areas.length) faults.push('no plotting area in #featured');
  areas.forEach((area, i) => inside(area, `plotting area ${i + 1}`));
  if (scrollY !== 0) faults.push(`scrolled by ${scrollY}`);
  if (!document.querySelector('#ms-switch')) faults.push('no unit switch');
  return faults;
}

/* Text that cannot be read to its end: outside of the window, of its drawing, or of a box that hides what does not fit. */
function cutOff() {
  const faults = [];
  const say = (what, node) => faults.push(`${what}: "${node.textContent.trim().slice(0, 60)}" in ${node.closest('[id]')?.id ?? 'page'}`);
  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth} wide, the window ${innerWidth}`);

  for (const node of document.body.querySelectorAll('*')) {
    if (node instanceof SVGElement || node.clientWidth <= 1 || !node.textContent.trim() || !shown(node)) continue;
    const { overflowX, overflowY } = getComputedStyle(node);
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    if (hides(overflowX) && node.scrollWidth > node.clientWidth + 1) say('cut at the side', node);
    if (hides(overflowY) && node.scrollHeight > node.clientHeight + 1) say('cut below', node);
  }

  const scrolls = (node) => {
    for (let n = node; n && n !== document.body; n = n.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(n).overflowX)) return true;
    }
    return false;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, parent = text.parentElement;
    if (!text.data.trim() || /^(SCRIPT|STYLE)$/.test(parent.tagName) || !shown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width > 1 && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(parent)) say('outside of the window', parent);
  }

  for (const text of document.querySelectorAll('svg text')) {
    if (!shown(text) || !text.textContent.trim()) continue;
    const box = text.getBoundingClientRect(), frame = text.ownerSVGElement.getBoundingClientRect();
    if (!box.width || !frame.width) continue;
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
      say(`outside of its drawing by ${[frame.left - box.left, frame.top - box.top, box.right - frame.right, box.bottom - frame.bottom]
        .map(Math.round)}`, text);
    }
  }
  return faults;
}

/* Labels of an axis that lie on each other. */
function overlapping() {
  const faults = [];
  for (const drawing of document.querySelectorAll('.ms-plot svg, svg.ms-plot')) {
    const labels = [...drawing.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()])
      .filter(([text, box]) => text.trim() && box.width > 0);
    labels.forEach(([text, a], i) => labels.slice(i + 1).forEach(([other, b]) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 4) faults.push(`"${text}" and "${other}" in ${drawing.closest('[id]')?.id}`);
    }));
  }
  return faults;
}

/* axe-core does not look at text in drawings: contrast of at least 4.5 with what is behind, 3 for large text. */
function faintDrawings() {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const colour = rgba(getComputedStyle(n).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const faults = new Set();
  for (const text of document.querySelectorAll('svg text')) {
    if (!text.checkVisibility()) continue;
    const { fill, fontSize } = getComputedStyle(text);
    const [a, b] = [luminance(rgba(fill)), luminance(behind(text.ownerSVGElement))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < (parseFloat(fontSize) >= 24 ? 3 : 4.5)) {
      faults.add(`contrast ${contrast.toFixed(2)}: ${fill} of "${text.textContent}" in ${text.closest('[id]')?.id}`);
    }
  }
  return [...faults];
}

/* ---- from outside ---- */

function axeSource() {
  return fs.readFileSync(path.join(build, 'browser/node_modules/axe-core/axe.min.js'), 'utf8');
}

async function runAxe(tags) {
  const { violations, passes } = await axe.run(document, { runOnly: tags, resultTypes: ['violations', 'passes'] });
  if (passes.length < 5) return [`only ${passes.length} rules were looked at`];
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.length} x ${
    nodes.slice(0, 3).map((node) => `${node.html.slice(0, 150)}\n  ${node.any[0]?.message ?? ''}`).join('\n')}`);
}

/* What is wrong with the page of this file, by kind. */
async function faultsOf(page, file) {
  const faults = {
    screen: await page.evaluate(outside),
    text: await page.evaluate(cutOff),
    labels: await page.evaluate(overlapping),
    contrast: await page.evaluate(faintDrawings),
    messages: page.events.filter((event) => event !== `request: file://${file}`),
  };
  await page.evaluate(axeSource());
  faults.axe = await page.evaluate(runAxe, TAGS);
  return faults;
}

const WORDS = {
  screen: 'key numbers, worst warning and figure are in the first screen',
  text: 'no text is cut off and nothing overflows',
  labels: 'no labels lie on each other',
  contrast: 'labels in drawings have contrast',
  messages: 'no message, no exception, no request',
  axe: 'axe-core finds nothing',
};

async function look(t, width, height, scheme, kinds) {
  const page = await t.open(width, height);
  await page.emulate('', scheme);
  await page.load(); /* as one who has this scheme opens it */
  const where = `${width} x ${height}, ${scheme}`;
  if (process.env.SCREENS) await page.picture(path.join(process.env.SCREENS, `${width}-${scheme}.png`));
  Object.entries(await faultsOf(page, t.report)).filter(([kind]) => kinds.includes(kind))
    .forEach(([kind, faults]) => check(`${where}: ${WORDS[kind]}`, faults));
  await page.close();
}

async function screens(t, kinds = Object.keys(WORDS)) {
  for (const [width, height] of SIZES) {
    for (const scheme of ['light', 'dark']) await look(t, width, height, scheme, kinds);
  }
}

module.exports = { screens, faultsOf, cutOff };
