/* A figure in which the reader chooses among the points of its first series, such as the solutions on a
   front: by pointing at one, or by a slider. The curves of the one chosen are drawn in the other panels
   and its numbers as bars (data from page_choices.c). A click holds the choice until the next click. */
const msChoices = (() => {
  'use strict';
  const { html, richHtml, readable } = msPlot;
  const { unitText } = msNumber;

  /* The axis shows all curves, whichever is chosen. */
  function addCurves(panels, data) {
    return data.curves.map((curve) => {
      const panel = panels[curve.panel];
      panel.y.also = panel.y.also.concat(...curve.y);
      const series = panel.add({ label: 'chosen', line: true, colour: -1, x: curve.x, y: curve.y[data.first] });
      return (k) => {
        panel.put(series, { y: curve.y[k] });
        panel.change();
      };
    });
  }

  function addBar(bars, bar) {
    const fill = html('i', {}), value = html('b', {});
    bars.append(html('div', { class: 'ms-bar' }, html('span', {}, richHtml(bar.name)),
      html('div', { class: 'ms-track' }, fill), value));
    const t = bar.log ? Math.log : (v) => v;
    return (k) => {
      const part = (t(bar.value[k]) - t(bar.low)) / (t(bar.high) - t(bar.low));
      fill.style.width = `${(100 * Math.min(Math.max(part, 0), 1)).toFixed(2)}%`;
      const view = msDisplay.view('', bar.unit || '');
      value.textContent = `${readable(view.map(bar.value[k]))} ${unitText(view.unit)}`.trim();
    };
  }

  return (element, figure) => {
    const data = JSON.parse(element.querySelector('.ms-choices').textContent), { panels } = figure;
    const front = panels[0], points = front.series[0];
    const slider = html('input', { type: 'range', min: 0, max: data.n - 1, step: 1, 'aria-label': 'Solution' });
    const name = html('output', {}), bars = html('div', { class: 'ms-bars' });
    const mark = front.add({ label: 'chosen', points: true, colour: -1, x: [1], y: [1] });
    const curves = addCurves(panels, data), fills = data.bars.map((bar) => addBar(bars, bar));
    let held = false, at = null;

    function say(k) {
      const text = [`${k + 1} of ${data.n}`, data.name[k], `${front.x.label} ${front.x.read(points.x[k])}`,
        `${front.y.label} ${front.y.read(points.y[k])}`, held ? 'held: click again to let go' : null];
      name.textContent = text.filter(Boolean).join(', ');
    }
    function choose(k) {
      front.put(mark, { x: [points.raw.x[k]], y: [points.raw.y[k]] });
      if (k !== at) [...curves, ...fills].forEach((show) => show(k));
      at = k;
      slider.value = k;
      element.dataset.chosen = k;
      say(k);
      front.request();
    }
    /* The point of the front where the pointer reads one, of whatever series. */
    function find({ series, i }) {
      if (series === points) return i;
      let best = at, least = Infinity;
      for (let k = 0; k < data.n; k++) {
        const d = Math.hypot(front.px(points.x[k]) - front.px(series.x[i]), front.py(points.y[k]) - front.py(series.y[i]));
        if (d < least) [best, least] = [k, d];
      }
      return best;
    }

    front.onread = (reading) => { if (reading && !held) choose(find(reading)); };
    front.onpick = () => {
      held = !held;
      if (front.reading) choose(find(front.reading));
      say(at);
    };
    slider.oninput = () => { held = true; choose(Number(slider.value)); };
    element.querySelector('.ms-plots').after(html('div', { class: 'ms-choice' },
      html('label', {}, 'Solution ', slider), name), bars);
    choose(data.first);
    figure.refresh();
    figure.onrefresh = () => {
      fills.forEach((show) => show(at));
      say(at);
    };
  };
})();
