/* A headless Chromium, driven through the DevTools protocol: messages in JSON, each ended by a zero byte, on file
   descriptors 3 and 4 of the browser.

     const browser = await start(folder);          folder: for its profile
     const page = await browser.open(file);        in a new tab, loaded
     await page.evaluate(f, argument, ...);        f(argument, ...) in the page; what it returns, by value
     page.events                                   exceptions, console messages and requests so far */
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const FLAGS = ['--headless', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--hide-scrollbars', '--disable-dev-shm-usage', '--remote-debugging-pipe'];
const PATIENCE = 120000; /* ms */

class Page {
  constructor(send) {
    this.send = send;
    this.events = [];
  }

  /* method of the protocol, e.g. Page.printToPDF */
  hear({ method, params }) {
    if (method === 'Runtime.exceptionThrown') {
      this.events.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
    } else if (method === 'Runtime.consoleAPICalled') {
      this.events.push(`console: ${params.args.map((a) => a.value ?? a.description).join(' ')}`);
    } else if (method === 'Log.entryAdded') {
      this.events.push(`log: ${params.entry.text} ${params.entry.url ?? ''}`);
    } else if (method === 'Network.requestWillBeSent' && !/^(data|blob):/.test(params.request.url)) {
      this.events.push(`request: ${params.request.url}`);
    } else if (method === 'Page.loadEventFired') {
      this.loaded?.();
    }
  }

  async evaluate(f, ...argument) {
    const expression = typeof f === 'string' ? f : `(${f})(${argument.map((a) => JSON.stringify(a)).join()})`;
    const { result, exceptionDetails: fault } = await this.send('Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true });
    if (fault) throw new Error(fault.exception?.description ?? fault.text);
    return result.value;
  }

  /* until all that was asked for has been drawn */
  settle() {
    return this.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done())); }));
  }

  async size(width, height) {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await this.settle();
  }

  /* feature(media, 'dark'): media is '' or 'print' */
  async emulate(media, scheme) {
    await this.send('Emulation.setEmulatedMedia', { media, features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await this.settle();
  }

  async picture(file) {
    fs.writeFileSync(file, Buffer.from((await this.send('Page.captureScreenshot', { format: 'png' })).data, 'base64'));
  }

  async print(file) {
    const { data } = await this.send('Page.printToPDF', { preferCSSPageSize: true, printBackground: true });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  /* mouse(x, y, ['mouseMoved'], ['mousePressed', { button: 'left' }], ...) */
  async mouse(x, y, type, more = {}) {
    await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'none', pointerType: 'mouse', ...more });
  }

  async click(x, y, modifiers = 0) {
    await this.mouse(x, y, 'mouseMoved', { modifiers });
    await this.mouse(x, y, 'mousePressed', { button: 'left', buttons: 1, clickCount: 1, modifiers });
    await this.mouse(x, y, 'mouseReleased', { button: 'left', clickCount: 1, modifiers });
    await this.settle();
  }

  async drag(from, to, modifiers = 0) {
    await this.mouse(...from, 'mousePressed', { button: 'left', buttons: 1, clickCount: 1, modifiers });
    await this.mouse((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, 'mouseMoved', { buttons: 1, modifiers });
    await this.mouse(...to, 'mouseMoved', { buttons: 1, modifiers });
    await this.mouse(...to, 'mouseReleased', { button: 'left', clickCount: 1, modifiers });
    await this.settle();
  }
}

async function start(folder) {
  const flags = [...FLAGS, `--user-data-dir=${path.join(folder, 'profile')}`];
  if (process.getuid() === 0) flags.push('--no-sandbox'); /* Chromium refuses to run as root with one */
  const chromium = spawn('chromium', [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
  const [, , errors, to, from] = chromium.stdio;
  const waiting = new Map(), pages = new Map();
  let said = '', rest = '', last = 0, gone = false;
  errors.on('data', (text) => { said = (said + text).slice(-2000); });
  to.on('error', () => {});
  const ended = new Promise((done) => {
    const end = (why) => {
      gone = true;
      waiting.forEach(({ fail }) => fail(new Error(`chromium ended (${why}): ${said}`)));
      done();
    };
    chromium.on('error', end);
    chromium.on('exit', end);
  });
  process.on('exit', () => chromium.kill());

  function receive(message) {
    const call = waiting.get(message.id);
    if (!call) {
      pages.get(message.sessionId)?.hear(message);
      return;
    }
    waiting.delete(message.id);
    clearTimeout(call.timer);
    if (message.error) call.fail(new Error(`${call.method}: ${message.error.message}`));
    else call.done(message.result);
  }
  from.setEncoding('utf8').on('data', (text) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop();
    messages.forEach((message) => receive(JSON.parse(message)));
  });

  const send = (session, method, params = {}) => new Promise((done, fail) => {
    if (gone) fail(new Error(`${method}: chromium is gone: ${said}`));
    const id = ++last;
    const timer = setTimeout(() => fail(new Error(`no answer to ${method}: ${said}`)), PATIENCE);
    waiting.set(id, { done, fail, method, timer });
    to.write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
  });

  async function open(file, width = 1366, height = 768) {
    const { targetId } = await send(undefined, 'Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send(undefined, 'Target.attachToTarget', { targetId, flatten: true });
    const page = new Page((method, params) => send(sessionId, method, params));
    page.close = () => send(undefined, 'Target.closeTarget', { targetId });
    pages.set(sessionId, page);
    for (const domain of ['Runtime', 'Log', 'Network', 'Page']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    page.load = async () => {
      const loaded = new Promise((done) => { page.loaded = done; });
      const { errorText } = await page.send('Page.navigate', { url: `file://${path.resolve(file)}` });
      if (errorText) throw new Error(`cannot open ${file}: ${errorText}`);
      await loaded;
      await page.settle();
    };
    await page.load();
    return page;
  }

  async function stop() {
    chromium.kill();
    await ended;
  }
  return { open, stop };
}

module.exports = { start };
