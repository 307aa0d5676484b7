#!/bin/bash
# The front of a calibration in a real browser: whoever points at a solution sees its curves and its
# parameters, those of the tables.
source "$(dirname "$0")/browser.sh"

head3() {
  cat <<'END'
microslip: 1
structure:
  chain:
    masses: {u1: 10, u2: 10, u3: 10}
    springs: [[ground, u1, 9], [u1, u2, 9], [u2, u3, 9]]
joints:
  lap: {law: iwan4, between: [u2, u3], F_S: 10, K_T: 1, chi: -0.5, beta: 5}
analyses:
END
}
# Half as much damping again as the joints have: no parameters match frequency and damping.
{
  head3
  echo '  - backbone: {modes: [2, 3], methods: [qsma], amplitudes: {from: 0.1, to: 10, points: 30}}'
} >curve.yaml
report "the curve" "$(run_study curve)"
awk -F, 'NR == 1 { gsub(/ \[[^]]*\]/, ""); for (i = 1; i <= NF; i++) at[$i] = i; print "mode,q,omega,zeta"; next }
  { printf "%s,%s,%s,%.12g\n", $1, $at["q"], $at["omega"], 1.5*$at["zeta"] }' curve/tables/backbone.csv >target.csv
{
  head3
  cat <<'END'
  - calibrate:
      method: nsga2
      points: 80
      generations: 30
      seed: 7
      parameters: {lap.F_S: [1, 100], lap.K_T: [0.1, 10], lap.chi: [-0.9, -0.1], lap.beta: [0.1, 50]}
      targets: [{mode: 2, from: target.csv}, {mode: 3, from: target.csv}]
END
} >study.yaml
report "runs" "$(run_study study)"
# With 30 generations the damping at the knee of the front is still 15 % off: suspect.
same "says how fast it was, and only there" "$(grep -c 'calibrate: suspect, 2480 evaluations in .* s, .* per second' study.out) $(grep -rl 'per second' study)" '1 '
rows=$(($(wc -l <study/tables/calibrate_front.csv) - 1))

browser_start "$temp/browser"
browser_open "$temp/study/report.html"
settle
evaluate 'window.figure = document.querySelector(".ms-choices").closest("figure"); msFigures.begin(figure);
  window.chosen = () => Number(figure.dataset.chosen);
  window.data = JSON.parse(figure.querySelector(".ms-choices").textContent);
  window.plots = [...figure.querySelectorAll(".ms-plot")];
  window.paths = () => plots.slice(1).map((p) => p.querySelector("[data-label=chosen] path").getAttribute("d"));
  window.bars = () => [...figure.querySelectorAll(".ms-track i")].map((i) => parseFloat(i.style.width));
  document.documentElement.style.scrollBehavior = "auto"; figure.scrollIntoView({ block: "start" }); 1'
check_page "one figure of this kind" 'document.querySelectorAll(".ms-choices").length' 1
check_page "its panels: the front, two quantities of two targets" 'plots.length' 5
evaluate 'data.n'
n=$value
within "about 60 solutions of a front of more" "$n" 50 60
within "of so many" "$rows" 61 80
check_page "the knee is chosen at first" 'data.name[chosen()]' knee
check_page "every choice has curves of every quantity" \
  'data.curves.map((c) => c.y.length === data.n && c.y.every((y) => y.length === c.x.length)).join()' true,true,true,true
check_page "the still picture is gone" 'figure.querySelectorAll(".ms-still").length' 0
check_page "the bars of the knee are the table's numbers" \
  "[$(awk -F, 'NR > 1 { printf "%s%s", (NR > 2 ? "," : ""), $2 }' study/tables/calibrate.csv)]
    .every((v, i) => Math.abs(data.bars[i].value[data.name.indexOf('knee')]/v - 1) < 1e-8)" true

# ---- point at two solutions that stand apart from the others ----
evaluate 'window.dots = (label) => plots[0].querySelector(`[data-label="${label}"] path`).getAttribute("d")
    .split("M").slice(1).map((p) => p.split("m")[0].split(" ").map(Number));
  window.apart = (p, all) => Math.min(...all.filter((q) => q !== p).map((q) => Math.hypot(p[0] - q[0], p[1] - q[1])));
  window.alone = (() => { const all = dots("front");
    return all.map((p) => [apart(p, all), p]).sort((a, b) => b[0] - a[0]).slice(0, 2).map((a) => a[1]); })();
  window.distance = (k) => Math.hypot(dots("chosen")[0][0] - alone[k][0], dots("chosen")[0][1] - alone[k][1]); 1'
place() { # k: where it stands on the screen
  evaluate "(() => { const box = plots[0].getBoundingClientRect();
    const [left, top] = plots[0].querySelector('g').getAttribute('transform').match(/[\d.]+/g).map(Number);
    return [box.left + left + alone[$1][0], box.top + top + alone[$1][1]].map(Math.round).join(' '); })()"
  read -r x y <<<"$value"
}
place 0
evaluate 'window.before = paths().join(); 1'
mouse mouseMoved "$x" "$y"
settle
check_page "pointing at one chooses it" 'distance(0) < 0.2' true
check_page "its curves are others" 'paths().join() !== before' true
check_page "the bars are its parameters between their bounds" 'data.bars.every((b, i) => {
  const t = b.log ? Math.log : (v) => v, part = (t(b.value[chosen()]) - t(b.low))/(t(b.high) - t(b.low));
  return Math.abs(bars()[i] - 100*part) < 0.006; })' true
check_page "the words say which" 'figure.querySelector("output").textContent.startsWith(`${chosen() + 1} of ${data.n}, `)' true
# the curve on the screen, back in the units of its axis, is the curve of the data
check_page "the curve drawn is the one chosen" '(() => { const plot = plots[1], c = data.curves[0];
  const path = (label) => plot.querySelector(`[data-label="${label}"] path`).getAttribute("d").match(/[-\d.]+ [-\d.]+/g).map((p) => p.split(" ").map(Number));
  const drawn = path("chosen"), y = c.y[chosen()];
  const order = y.map((v, i) => [v, i]).sort((a, b) => a[0] - b[0]);
  const top = drawn.reduce((a, b) => (b[1] < a[1] ? b : a)), low = drawn.reduce((a, b) => (b[1] > a[1] ? b : a));
  const knee = path("knee"), k = c.y[data.name.indexOf("knee")];
  const scale = (Math.max(...k) - Math.min(...k))/(Math.max(...knee.map((p) => p[1])) - Math.min(...knee.map((p) => p[1])));
  return Math.abs((low[1] - top[1])*scale/(order.at(-1)[0] - order[0][0]) - 1) < 0.01; })()' true
place 1
mouse mouseMoved "$x" "$y"
settle
check_page "pointing at another chooses that" 'distance(1) < 0.2' true

# ---- a click holds it, another lets go ----
click() {
  mouse mousePressed "$x" "$y" '{"button":"left","clickCount":1}'
  mouse mouseReleased "$x" "$y" '{"button":"left","clickCount":1}'
  settle
}
click
place 0
mouse mouseMoved "$x" "$y"
settle
check_page "held after a click" 'distance(1) < 0.2' true
click
check_page "and let go by another" 'distance(0) < 0.2' true

# ---- the slider, for fingers and keys ----
check_page "the slider chooses" '(() => { const s = figure.querySelector("input[type=range]"); s.value = 3;
  s.dispatchEvent(new Event("input")); return chosen(); })()' 3

# ---- the map ----
map=study/tables/calibrate_map.csv
same "a row for every node, and all points of the map in one of them" \
  "$(awk -F, 'NR > 1 { n++; sum += $3 } END { print n, sum }' $map)" \
  "$(jq -r '.analyses[] | select(.name == "calibrate") | .map | "\(.columns*.rows) \(.points)"' study/summary.json)"
within "points that are no more than there were evaluations" "$(jq '.analyses[] | select(.name == "calibrate") | .map.points' study/summary.json)" 200 2480
report "parameters between their bounds" "$(awk -F, 'NR > 1 && !($6 >= 1 && $6 <= 100 && $7 >= 0.1 && $7 <= 10 && $8 >= -0.9 && $8 <= -0.1 && $9 >= 0.1 && $9 <= 50)' $map)"
check_page "a picture for both objectives and every parameter" \
  '[...document.querySelectorAll(".ms-plane h4")].map((h) => h.textContent.trim()).join()' \
  'frequency,damping,lap.FS,lap.KT,lap.chi,lap.beta'
check_page "whoever points at a node reads it in all of them" '(() => {
  const planes = [...document.querySelectorAll(".ms-plane")], k = 4;
  planes[2].querySelectorAll("path")[k].dispatchEvent(new PointerEvent("pointerenter"));
  return planes.map((p) => Number(p.querySelector("h4 b").textContent).toPrecision(3)).join(" "); })()' \
  "$(awk -F, 'NR == 6 { for (i = 4; i <= 9; i++) print $i }' $map | while read -r v; do
    evaluate "Number(Number($v).toPrecision(4)).toPrecision(3)"
    echo "$value"
  done | paste -sd ' ')"
check_page "and sees it marked" 'document.querySelectorAll(".ms-plane .on").length' 6

# ---- without scripts ----
sed 's/<script>/<script type="none">/' study/report.html >plain.html
browser_open "$temp/plain.html"
check_page "a still picture of knee and extremes" \
  '[...document.querySelector(".ms-choices").closest("figure").querySelectorAll(".ms-still text")].filter((t) => ["knee", "best frequency", "best damping"].includes(t.textContent)).length >= 3' true
same "nothing was complained of" "$(jq -r 'select(.method == "Runtime.exceptionThrown") | .params.exceptionDetails.exception.description' "$browser_events")" ''

finish
