#!/bin/bash
# A report page in a real browser: draws, reads, zooms, toggles, folds, downloads, in light and dark,
# on a wide and on a narrow screen, with and without scripts, on paper.
source "$(dirname "$0")/browser.sh"

"$build_dir/tests/page_demo" "$temp/page.html" || exit 1
"$build_dir/tests/page_demo" "$temp/again.html" || exit 1
cmp "$temp/page.html" "$temp/again.html"
like "the same input gives the same bytes" $? 0

# ---- a script that is broken, or that fails, is noticed by what follows ----

# errors: what the page complained of so far; requests: what it asked for beside itself.
errors() {
  jq -r 'select(.method == "Runtime.exceptionThrown" or .method == "Log.entryAdded"
    or (.method == "Runtime.consoleAPICalled" and .params.type != "log"))
    | .params | .exceptionDetails.exception.description // .entry.text // "console"' "$browser_events"
}
requests() {
  jq -r 'select(.method == "Network.requestWillBeSent") | .params.request.url' "$browser_events" |
    grep -v -e "^file://$temp/" -e '^data:'
}
browser_start "$temp/browser"
sed 's/class Panel {/class Panel {{/' "$temp/page.html" >"$temp/broken.html"
browser_open "$temp/broken.html"
like "a syntax error is noticed" "$(errors)" '*SyntaxError*'
: >"$browser_events"
sed 's/new ResizeObserver/new NoSuchThing/' "$temp/page.html" >"$temp/broken.html"
browser_open "$temp/broken.html"
evaluate 'document.querySelectorAll(".ms-figure").forEach((f) => msFigures.begin(f))'
like "an exception is noticed" "$(errors)" '*NoSuchThing is not defined*'
check_page "and the still pictures stay" 'document.querySelectorAll(".ms-still").length' 4
: >"$browser_events"

# ---- what is there ----

browser_open "$temp/page.html"
settle
check_page "figures that are far away are still pictures" \
  '[...document.querySelectorAll(".ms-figure")].every((f) =>
    f.querySelector(".ms-plots").classList.contains("live") === f.getBoundingClientRect().top < innerHeight + 400)' true
evaluate 'document.querySelectorAll(".ms-figure").forEach((f) => msFigures.begin(f))'
check_page "every figure is drawn" 'document.querySelectorAll(".ms-figure .ms-plots.live").length' 4
check_page "with its panels" \
  '[...document.querySelectorAll(".ms-figure")].map((f) => f.querySelectorAll(".ms-plot").length).join()' 2,1,3,3
check_page "and in them their curves" \
  '[...document.querySelectorAll(".ms-plot")].map((p) => p.querySelectorAll(".ms-curve").length).join()' 6,6,2,1,1,1,1,3,1
check_page "each of which has a shape" \
  '[...document.querySelectorAll(".ms-curve path")].filter((p) => p.getAttribute("d").length < 40 ||
    p.getBoundingClientRect().width < 50).length' 0
check_page "the still pictures are gone" 'document.querySelectorAll(".ms-still").length' 0
check_page "the contents lead to the sections" \
  '[...document.querySelectorAll("nav a")].map((a) => document.querySelector(a.hash).tagName).join()' \
  SECTION,SECTION,SECTION,SECTION
check_page "markup in a text is text" \
  'document.querySelector("#section-4 h2").textContent + document.querySelectorAll("h2 b").length' \
  'How to repeat it </script><b>0'
check_page "an axis of one value shows a twentieth of it on either side, that of 0 from -1 to 1" \
  '[[false, 7.3], [false, -2e-6], [false, 0], [true, Math.log10(7.3)]].map(([log, t]) => {
    const axis = new msPlot.Axis({ log });
    axis.look([]);
    axis.fit([[t, t]]);
    return axis.home.map((v) => Number(axis.toValue(v).toPrecision(9))).join(" ");
  }).join()' '6.935 7.665,-0.0000021 -0.0000019,-1 1,6.95238095 7.665'
check_page "axes, with powers of ten and raised digits" \
  '[...document.querySelectorAll(".ms-plot")].map((p) => [...p.querySelectorAll(".name")].map((n) => n.textContent).join(" / ")).join("; ")' \
  '|q| \[m√kg] / ω \[rad/s]; |q| \[m√kg] / ζ; t \[s] / u2 \[10−6 m]; u \[10−6 m] / F \[N]; *'

check_page "areas are filled and closed, beneath what else there is" \
  '[...document.querySelectorAll("#figure-4 .ms-plot")[1].querySelectorAll(".ms-curve path")].map((p) =>
    p.getAttribute("class") + (p.getAttribute("d").endsWith("Z") ? " closed" : "")).join()' \
  'area p1 closed,cloud l0,line dashed l1'
check_page "columns that are set stay, with a place left free" \
  '(() => { const [a, b, c] = [...document.querySelectorAll("#figure-4 .ms-plot")].map((p) => p.getBoundingClientRect());
    return [Math.abs(a.left - b.left) < 1, b.top > a.bottom, c.left > b.right, Math.abs(b.top - c.top) < 1].join(); })()' \
  true,true,true,true
check_page "an area that is zoomed into is cut at the edge" \
  '(() => { const p = document.querySelectorAll("#figure-4 .ms-plot")[1];
    p.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
    for (let i = 0; i < 40; i++) p.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const v = p.querySelector(".area").getAttribute("d").match(/-?[\d.]+/g).map(Number);
      p.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
      done(v.length + " " + (Math.max(...v.map(Math.abs)) < 1500)); }))); })()' '8 true'

# ---- panels of a figure together (figure 1) ----

evaluate 'window.pair = [...document.querySelectorAll("#figure-1 .ms-plot")];
  window.xTicks = (k) => [...pair[k].querySelectorAll(".tick.mid")].map((t) => t.textContent).join(" ");
  window.yTicks = (k) => [...pair[k].querySelectorAll(".tick.end")].map((t) => t.textContent).join(" ");
  window.press = (k, key) => pair[k].dispatchEvent(new KeyboardEvent("keydown", { key })); 1'
check_page "panels that share x have one legend" 'document.querySelectorAll("#figure-1 .ms-legend").length' 1
evaluate 'window.before = [xTicks(1), yTicks(1)]; for (let i = 0; i < 9; i++) press(0, "+"); 1'
settle
check_page "zoom in one panel zooms x in the other, and only x" \
  'xTicks(0) === xTicks(1) && xTicks(1) !== before[0] && yTicks(1) === before[1]' true
evaluate 'press(0, "0"); press(0, "ArrowRight"); press(0, "ArrowRight"); 1'
settle
check_page "arrows read a point, in both panels" \
  '[...document.querySelectorAll("#figure-1 .ms-readout")].map((r) => r.hidden ? "hidden" : r.querySelector("strong").textContent).join()' \
  'mode 1, closed form,mode 1, closed form'
check_page "at the same x" 'new Set([...document.querySelectorAll("#figure-1 .ms-readout")].map((r) => r.querySelector("b").textContent)).size' 1
evaluate 'document.querySelectorAll("#figure-1 .ms-name")[2].click()'
settle
check_page "a name marks its curve in both panels" \
  '[...document.querySelectorAll("#figure-1 .chosen")].map((c) => c.dataset.label).join()' 'mode 2,mode 2'
evaluate 'document.querySelectorAll("#figure-1 .ms-name")[2].click()'
settle
check_page "and lets go of it" 'document.querySelectorAll("#figure-1 .chosen, #figure-1 .faded").length' 0

# ---- with the mouse, on the ring-down (figure 2) ----

evaluate 'history.scrollRestoration = "manual"; document.documentElement.style.scrollBehavior = "auto";
  document.querySelector("#figure-2").scrollIntoView({ block: "center" });
  window.plot = document.querySelector("#figure-2 .ms-plot");
  window.ticks = (which = "") => [...plot.querySelectorAll(".tick" + which)].map((t) => t.textContent).join(" ");
  window.labels = () => [...plot.querySelectorAll(".ms-curve")].map((c) => c.dataset.label).join();
  window.readout = () => { const r = document.querySelector("#figure-2 .ms-readout");
    return r.hidden ? "hidden" : [...r.children].map((c) => c.textContent).join("; "); };
  window.vertices = () => plot.querySelector(".ms-curve path").getAttribute("d").split("L").length; 1'
sleep 0.4 # the wheel is the page's for a moment after it has scrolled
# where a data point of the figure stands on the screen, from the box of its curve
evaluate '(() => { const b = plot.querySelector(".ms-curve path").getBBox(), c = plot.querySelector(".ms-curves").getBoundingClientRect();
  const t = 2.5e-5 * 123457, top = b.y, u = 1.93e-5; /* the curve begins at its highest value */
  return [c.left + 5 + b.x + b.width * t / (2.5e-5 * 199999), c.top + 5 + top + (b.height / 2) * (1 - 1.51e-5 / u),
    c.left + 5, c.top + 5, c.right - 5, c.bottom - 5].map(Math.round).join(" "); })()'
read -r spike_x spike_y left top right bottom <<<"$value"
middle=$(((top + bottom) / 2))
evaluate 'ticks()'
home=$value
evaluate 'ticks(".mid")'
home_x=$value
evaluate 'ticks(".end")'
home_y=$value
check_page "200000 points are drawn as a few thousand" 'vertices() > 1000 && vertices() < 5000' true

check_page "with the highest of each column" "Math.abs(Math.min(...plot.querySelector('.ms-curve path')
  .getAttribute('d').split(/[ML]/).slice(1).map((p) => p.split(' ').map(Number))
  .filter((p) => Math.abs(p[0] + $left - $spike_x) < 2).map((p) => p[1])) + $top - $spike_y) < 2" true

mouse mouseMoved "$((spike_x + 3))" "$((spike_y - 2))"
check_page "the pointer reads the nearest point: one sample of 200000" 'readout()' \
  'u2; t3.08643 s; u21.51×10−5 m'
mouse mouseMoved "$((left - 60))" "$((top - 100))"
settle
check_page "and nothing outside" 'readout()' hidden

entry='document.querySelectorAll("#figure-2 .ms-entry")[0].getBoundingClientRect()'
evaluate "Math.round($entry.x + 10) + ' ' + Math.round($entry.y + 8)"
read -r x y <<<"$value"
click() { # x y [count]
  mouse mousePressed "$1" "$2" "{\"button\":\"left\",\"buttons\":1,\"clickCount\":${3:-1}}"
  mouse mouseReleased "$1" "$2" "{\"button\":\"left\",\"clickCount\":${3:-1}}"
  settle
}
check_page "both curves are shown" 'labels()' u_2,envelope
click "$x" "$y"
check_page "a click on the legend hides one" 'labels()' envelope
check_page "and says so" 'document.querySelector("#figure-2 .ms-toggle").getAttribute("aria-pressed")' false
mouse mouseMoved "$spike_x" "$spike_y"
check_page "what is hidden is not read" 'readout()' 'envelope; *'
click "$x" "$y"
check_page "another click brings it back" 'labels()' u_2,envelope
click "$x" "$y" 1
click "$x" "$y" 2
check_page "a double click leaves it alone" 'labels()' u_2
click "$x" "$y" 1
click "$x" "$y" 2
check_page "another one shows all" 'labels()' u_2,envelope

mouse mouseWheel "$spike_x" "$spike_y" '{"deltaX":0,"deltaY":-240}'
settle
check_page "the wheel zooms both axes" \
  "ticks() !== '$home' && ticks('.mid') !== '$home_x' && ticks('.end') !== '$home_y' && ticks('.mid').length > 5" true
evaluate 'ticks()'
zoomed=$value
mouse mouseMoved "$((spike_x + 1))" "$spike_y"
check_page "about the pointer" 'readout()' 'u2; t3.08643 s; *'
check_page "a button offers the way back" 'document.querySelector("#figure-2 .ms-reset").hidden' false
drag() { # x0 y0 x1 y1 modifiers
  mouse mousePressed "$1" "$2" "{\"button\":\"left\",\"buttons\":1,\"clickCount\":1,\"modifiers\":$5}"
  mouse mouseMoved "$((($1 + $3) / 2))" "$((($2 + $4) / 2))" "{\"buttons\":1,\"modifiers\":$5}"
  mouse mouseMoved "$3" "$4" "{\"buttons\":1,\"modifiers\":$5}"
  mouse mouseReleased "$3" "$4" "{\"button\":\"left\",\"clickCount\":1,\"modifiers\":$5}"
  settle
}
drag "$spike_x" "$middle" "$((spike_x - 150))" "$middle" 8
check_page "shift and drag pans" "ticks() !== '$zoomed' && ticks() !== '$home'" true
click "$spike_x" "$middle" 1
click "$spike_x" "$middle" 2
check_page "a double click resets" 'ticks()' "$home"
for width in 30 20 20 20; do # the band keeps its middle: after each, the sample is in the middle
  drag "$((spike_x - width / 2))" "$middle" "$((spike_x + width / 2))" "$((middle + 3))" 0
  spike_x=$(((left + right) / 2))
  mouse mouseMoved "$spike_x" "$top"
  evaluate 'Math.round(plot.querySelector(".ms-ring").getBoundingClientRect().x + 6)'
  spike_x=$value
done
check_page "a band drawn zooms in time only, to every sample" \
  'vertices() > 2 && vertices() < 60 && ticks().includes("−20")' true
check_page "of which the highest is still there" 'readout()' 'u2; t3.08643 s; u21.51×10−5 m'
cdp Input.dispatchKeyEvent '{"type":"keyDown","key":"0","text":"0"}'
settle
check_page "0 resets" 'ticks()' "$home"
cdp Input.dispatchKeyEvent '{"type":"keyDown","key":"+","text":"+"}'
settle
check_page "+ zooms" "ticks() !== '$home'" true
cdp Input.dispatchKeyEvent '{"type":"keyDown","key":"Escape"}'
settle
evaluate 'scrollY'
before=$value
mouse mouseWheel "$spike_x" "$middle" '{"deltaX":0,"deltaY":120}'
sleep 0.6
check_page "with nothing to zoom out of, the wheel scrolls the page" \
  "ticks() === '$home' && scrollY > $before" true

# ---- with two fingers, on logarithmic axes ----

evaluate 'document.querySelector("#figure-1").scrollIntoView({ block: "center" });
  window.plot = document.querySelectorAll("#figure-1 .ms-plot")[1];
  (() => { const c = plot.querySelector(".ms-curves").getBoundingClientRect();
    return [c.left + c.width / 2, c.top + c.height / 2].map(Math.round).join(" "); })()'
read -r x y <<<"$value"
evaluate 'ticks()'
like "decades on one axis, 1-2-5 on the other" "$value" '10−5 10−4 10−3 10−2 10−1 *0.002 0.005 0.01*'
home=$value
touch_points() { # type spread
  cdp Input.dispatchTouchEvent "{\"type\":\"$1\",\"touchPoints\":[{\"x\":$((x - $2)),\"y\":$y,\"id\":1},{\"x\":$((x + $2)),\"y\":$y,\"id\":2}]}"
}
touch_points touchStart 20
touch_points touchMove 60
touch_points touchMove 90
cdp Input.dispatchTouchEvent '{"type":"touchEnd","touchPoints":[]}'
settle
check_page "two fingers zoom" "ticks() !== '$home' && ticks().length > 10" true
evaluate 'document.querySelectorAll("#figure-1 .ms-reset")[1].click()'
settle
check_page "the button resets" 'ticks()' "$home"

# ---- mode shapes ----

check_page "a shape far below waits until it is nearly in sight" 'scrollTo(0, 0),
  [...document.querySelectorAll(".ms-shape")].map((f) => f.classList.contains("live")).join()' false,false
evaluate 'document.querySelector(".ms-shape").scrollIntoView({ block: "center" }); 1'
settle
check_page "then it starts" 'new Promise((done) => setTimeout(() => done(
  [...document.querySelectorAll(".ms-shape")].map((f) => f.classList.contains("live")).join()), 200))' true,*
# picture: a number that changes with what is drawn; painted: pixels that are not empty.
evaluate 'document.querySelector(".ms-shape").scrollIntoView({ block: "center" });
  window.canvas = document.querySelector(".ms-canvas");
  window.pixels = () => { const copy = document.createElement("canvas"), { width, height } = canvas;
    Object.assign(copy, { width, height });
    const pen = copy.getContext("2d", { willReadFrequently: true }); /* or the browser warns */
    pen.drawImage(canvas, 0, 0);
    return pen.getImageData(0, 0, width, height).data; };
  window.picture = () => pixels().reduce((sum, v, i) => (sum * 31 + v * (i % 251 + 1)) % 1000000007, 7);
  window.painted = () => pixels().filter((v, i) => i % 4 === 3 && v > 0).length;
  window.draws = () => Number(canvas.dataset.drawn);
  window.tool = (text) => [...document.querySelectorAll(".ms-viewer .ms-tool")].find((b) => b.textContent === text); 1'
settle
sleep 0.4
check_page "a shape is drawn, larger than its lines and marks alone" 'painted() > 40000' true
check_page "in the colours of small and of large displacements" '(() => { const p = pixels(), seen = new Set();
  for (let i = 0; i < p.length; i += 4) if (p[i + 3] === 255)
    seen.add(p[i] > 180 && p[i + 2] < 90 ? "bright" : p[i + 1] < 40 && p[i + 2] > 50 ? "dark" : "other");
  return [...seen].sort().join(); })()' bright,dark,other
evaluate 'picture()'
home=$value
check_page "at rest it stays as it is" "new Promise((done) => setTimeout(() => done(picture() === $home), 300))" true
check_page "its modes can be chosen" \
  'window.modes = () => [...document.querySelector(".ms-viewer select").options].map((o) => o.textContent).join("; "); modes()' \
  'Mode 7, 181.4 Hz; Mode 8, 497.2 Hz; Mode 9, 612.91 Hz'
check_page "rigid-body modes are folded away" \
  'tool("Show 1 rigid-body mode").click(), modes()' 'Mode 6, rigid body; Mode 7, *'
check_page "and back" 'tool("Show 1 rigid-body mode").click(), modes()' 'Mode 7, *'
side() { # 0 stuck, 1 slipped, 2 both
  evaluate "document.querySelector('.ms-side').value = $1; document.querySelector('.ms-side').dispatchEvent(new Event('change')); 1"
  settle
}
side 1
check_page "a slipped shape can be chosen" "modes() + (picture() !== $home)" 'Mode 8, 159.52 Hz, MAC 0.91; Mode 8, 497.2 Hz; *true'
side 2
check_page "and both side by side, with their names" \
  "canvas.getAttribute('aria-label') + (picture() !== $home)" \
  '* stuck: Mode 7, 181.4 Hz; slipped: Mode 8, 159.52 Hz, MAC 0.91. Drag *true'
side 0
check_page "and the stuck one again" "picture() === $home" true
evaluate 'document.querySelector(".ms-viewer select").value = 2;
  document.querySelector(".ms-viewer select").dispatchEvent(new Event("change"))'
settle
evaluate 'picture()'
second=$value
check_page "another mode is another picture" "picture() !== $home && painted() > 40000" true
check_page "and it is named" 'canvas.getAttribute("aria-label")' \
  'Two plates with a lap joint, free. stuck: Mode 8, 497.2 Hz. Drag *'
evaluate 'Math.round(canvas.getBoundingClientRect().x + 400) + " " + Math.round(canvas.getBoundingClientRect().y + 200)'
read -r x y <<<"$value"
drag "$x" "$y" "$((x + 90))" "$((y + 30))" 0
check_page "a drag turns it" "picture() !== $second && painted() > 20000" true
evaluate 'picture()'
turned=$value
drag "$x" "$y" "$((x + 60))" "$((y + 40))" 8
check_page "with shift, moves it" "picture() !== $turned" true
check_page "the button resets the view" "(tool('Reset view').click(),
  new Promise((done) => setTimeout(() => done(picture() === $second), 200)))" true
mouse mouseWheel "$x" "$y" '{"deltaX":0,"deltaY":-240}'
settle
evaluate "window.large = painted(); canvas.focus(); 1"
cdp Input.dispatchKeyEvent '{"type":"keyDown","key":"0","text":"0"}'
settle
check_page "the wheel zooms, and 0 resets" "large > 1.2 * painted() && picture() === $second" true
shape_key() { # key text: pressed and drawn
  cdp Input.dispatchKeyEvent "{\"type\":\"keyDown\",\"key\":\"$1\",\"text\":\"${2-}\"}"
  settle
}
shape_key ArrowLeft
check_page "an arrow turns it" "picture() !== $second" true
shape_key ArrowRight
check_page "and the other one back" "picture() === $second" true
shape_key p p
check_page "P goes to the mode before" "picture() === $home" true
shape_key p p
check_page "from the first to the last" 'document.querySelector(".ms-viewer select").value' 3
shape_key n n
evaluate 'const slider = document.querySelector(".ms-viewer input"); slider.value = 0; slider.dispatchEvent(new Event("input")); 1'
settle
evaluate 'picture()'
flat=$value
shape_key n n
check_page "without amplitude modes differ in colour only" \
  "picture() !== $flat && (window.still = painted()) > 20000" true
shape_key p p
check_page "by not a pixel more or less" 'painted() === still' true
evaluate 'document.querySelector(".ms-viewer input").value = 8;
  document.querySelector(".ms-viewer input").dispatchEvent(new Event("input"))'
settle
check_page "the amplitude is back" "picture() === $home" true
shape_key ' ' ' '
evaluate 'window.drawn = draws(); 1'
check_page "the space bar sets it in motion" 'new Promise((done) => setTimeout(() =>
  done(draws() > drawn + 5 && tool("Animate").getAttribute("aria-pressed")), 700))' true
shape_key ' ' ' '
settle
evaluate 'window.drawn = draws(); 1'
check_page "and stops it" "new Promise((done) => setTimeout(() => done(draws() === drawn && picture() === $home), 300))" true
touch_points touchStart 20
touch_points touchMove 60
touch_points touchMove 90
cdp Input.dispatchTouchEvent '{"type":"touchEnd","touchPoints":[]}'
settle
check_page "two fingers zoom" "picture() !== $home" true
evaluate 'canvas.dispatchEvent(new Event("dblclick"))'
settle
check_page "a double click resets" "picture() === $home" true

cdp Emulation.setEmulatedMedia '{"features":[{"name":"prefers-reduced-motion","value":"reduce"}]}'
settle # the page hears of it later
check_page "nothing moves for readers who want that" 'tool("Animate").disabled' true
shape_key ' ' ' '
evaluate 'window.drawn = draws(); 1'
check_page "not by the space bar either" 'new Promise((done) => setTimeout(() => done(draws() - drawn), 300))' 0
cdp Emulation.setEmulatedMedia '{"features":[]}'
settle
check_page "and may again" 'tool("Animate").disabled' false

# ---- fields on faces ----

evaluate 'window.shapeCanvas = canvas; document.querySelector(".ms-field").scrollIntoView({ block: "center" }); 1'
sleep 0.4
evaluate 'window.canvas = document.querySelector(".ms-field .ms-canvas");
  window.frames_ = document.querySelector(".ms-field .ms-frames");
  window.scaleText = () => document.querySelector(".ms-field-scale").textContent;
  (() => { const b = canvas.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2].map(Math.round).join(" "); })()'
read -r x y <<<"$value"
settle
check_page "a field is drawn" 'painted() > 40000' true
check_page "in its last frame" 'document.querySelector(".ms-field .ms-controls b").textContent' '120 N, macroslip <near>'
check_page "with numbers at its colours" 'scaleText()' 'Slip, m; grey: none*×10⁻⁹*×10⁻⁶'
check_page "and a text for who does not see it" 'canvas.getAttribute("aria-label")' \
  'The face under the bolt: * Slip, Load 120 N, macroslip <near>: from *×10⁻* m to *×10⁻⁶ m. Drag *'
evaluate 'picture()'
last=$value
evaluate 'frames_.value = 0; frames_.dispatchEvent(new Event("input")); 1'
settle
check_page "the slider chooses the frame" "(picture() !== $last) + document.querySelector('.ms-field .ms-controls b').textContent" \
  'true20 N, stuck but for the rim'
check_page "the colours stay" 'scaleText()' 'Slip, m; grey: none*×10⁻⁹*×10⁻⁶'
mouse mouseMoved "$x" "$y"
check_page "the pointer reads values: none in the middle" \
  'document.querySelector(".ms-field .ms-readout").textContent' 'noneface *'
evaluate 'document.querySelector(".ms-field select").value = 1; document.querySelector(".ms-field select").dispatchEvent(new Event("change")); 1'
settle
mouse mouseMoved "$((x + 1))" "$y"
check_page "of another field the largest: 8 MPa to a 4095th" \
  'document.querySelector(".ms-field .ms-readout").textContent' '8×10⁶ N/m²node 313'
evaluate 'canvas.focus(); 1'
shape_key n n
check_page "N goes to the next frame" 'document.querySelector(".ms-field .ms-controls b").textContent' '40 N'
shape_key ' ' ' '
check_page "the space bar plays" 'new Promise((done) => { const seen = new Set();
  setTimeout(() => done(false), 10000);
  setInterval(() => { seen.add(document.querySelector(".ms-field .ms-controls b").textContent);
    if (seen.size > 2) done(true); }, 30); })' true
shape_key ' ' ' '
evaluate 'window.canvas = shapeCanvas; canvas.scrollIntoView({ block: "center" }); 1'
settle

# ---- tables ----

rows='[...document.querySelectorAll("#table-2 tbody tr")].filter((r) => r.offsetParent).length'
check_page "a long table is folded" "$rows" 12
check_page "its button says how long it is" 'document.querySelector("#table-2 .ms-more").textContent' \
  'Show all 64 rows'
evaluate 'document.querySelector("#table-2 .ms-more").click()'
check_page "and unfolds it" "$rows" 64
evaluate 'URL.createObjectURL = (blob) => { window.csv = blob.text(); return "data:,"; };
  document.querySelector("#table-1 .ms-tool").click()'
check_page "a table as CSV has all digits" 'csv' \
  $'mode,ω_0 \\[rad/s],K_T \\[N/m],residual,remark\n1,4.1732917,17416000,0.00132,\n2,11.6932,n/a,-0.0731,"not <determined> & ""open"""\n3,16.89817,285550000,3.2e-09,'
evaluate 'document.querySelector("#figure-2 .ms-tool").click()'
check_page "a figure as CSV has every point" 'csv.then((t) => t.split("\n").length + t.split("\n")[123458])' \
  '4000021,u_2,3.086425,0.0000151'

# ---- light, dark, narrow, paper ----

media() { cdp Emulation.setEmulatedMedia "{\"media\":\"$1\",\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"$2\"}]}"; }
background='getComputedStyle(document.body).backgroundColor + " " + getComputedStyle(plot.querySelector(".line")).stroke'
media screen light
check_page "light" "$background" 'rgb(255, 255, 255) rgb(0, 114, 178)'
media screen dark
check_page "dark, and the curves with it" "$background" 'rgb(18, 23, 31) rgb(76, 159, 224)'
settle
check_page "a shape follows" "picture() !== $home && painted() > 40000" true
media print dark
check_page "paper is light" "$background" 'rgb(255, 255, 255) rgb(0, 114, 178)'
check_page "and has the still picture of a shape" \
  '["svg", ".ms-viewer"].map((s) => document.querySelector(".ms-shape > " + s).getBoundingClientRect().height > 50).join()' \
  true,false
media screen dark
evaluate 'document.querySelector(".ms-theme").click()'
check_page "the button has the last word" "$background" 'rgb(255, 255, 255) *'
evaluate 'document.querySelector(".ms-theme").click()'
check_page "in both ways" "$background" 'rgb(18, 23, 31) *'
browser_size 420 900
settle
check_page "nothing stands out of a narrow screen" 'document.documentElement.scrollWidth' 420
check_page "where panels stand below each other" \
  'new Set([...document.querySelectorAll("#figure-3 .ms-plot")].map((p) => p.getBoundingClientRect().left)).size' 1

like "no error, no warning" "$(errors)" ''
like "nothing was fetched" "$(requests)" ''

# ---- the head ----

# in_view SELECTOR: how many of these end above the lower edge of the window, of how many.
in_view() {
  echo "(() => { const all = [...document.querySelectorAll('$1')];
    return all.filter((n) => n.getBoundingClientRect().height > 0 && n.getBoundingClientRect().bottom <= innerHeight).length + ' of ' + all.length; })()"
}
for size in '1366 768' '390 844'; do
  read -r width height <<<"$size"
  browser_size "$width" "$height"
  cdp Page.reload
  sleep 0.5
  browser_wait
  settle
  check_page "$width x $height: key numbers are on the first screen" "$(in_view "#answer .ms-key")" '4 of 4'
  check_page "$width x $height: so is the worst warning" "$(in_view '.ms-warnings > ul > .ms-warning')" '1 of 1'
  check_page "$width x $height: so is the figure" "$(in_view '#featured .ms-plot')" '2 of 2'
done
browser_size 1280 900
cdp Page.reload
sleep 0.5
browser_wait
settle
check_page "the largest weights first" '[...document.querySelectorAll("#answer .ms-key-value")].map((n) => n.textContent).map((x) => x.replaceAll("\u00A0", " ")).join("; ")' \
  '60.013 ± 0.030 N; (47.19 ± 0.13)×106 N/m; 0.31 % 0.27 to 0.37; 0.66420 ± 0.00033 Hz'
check_page "a warning leads to where it arises" 'document.querySelector(document.querySelector(".ms-warnings a").hash).textContent' \
  'suspect the energy balance closes*'

# ---- units ----

points='(() => { const t = document.querySelector("#table-3"), shown = (n) => !n.hidden;
  return [...t.querySelectorAll("tr")].map((r) => [...r.cells].filter(shown).map((c) => c.textContent).join()).join("; "); })()'
# choose KEY VALUE
choose() {
  evaluate "(() => { const s = document.querySelector('#ms-switch [data-key=$1]'); s.value = '$2'; s.dispatchEvent(new Event('change')); })()"
}
first='mode,f Hz,q m√kg,ζ %,determined,force 106 N; 1,0.66420 ± 0.00033,0.00331,0.31,yes,17.416; 2,1.8610 ± 0.0019,27×10−6,1.17,no,2.510; 2,1.85283,0,0,yes,8.300'
check_page "a table as the page begins" "$points" "$first"
choose frequency rad
choose damping q
check_page "rad/s and Q; without damping there is none" "$points" 'mode,ω rad/s,q m√kg,Q,*; 1,4.1733 ± 0.0021,0.00331,161.290,*; *,42.735,no,*; *,–,yes,*'
choose amplitude acceleration
check_page "motions of a sensor, with the frequency of the row" "$points" '*,a m/s²,*; 1,*,0.0421408,*; 2,*,0.0010706,*; 2,*,0,*'
choose sensor 1
check_page "of another one" "$points" '*; 1,*,0.0074943,*; 2,*,0.0032118,*; 2,*,22.403×10−12,*'
choose units study
check_page "in the units of the study" "$points" '*,a mm/s²,*; 1,*,7.4943,*'
check_page "the numbers of the head follow" '[...document.querySelectorAll("#answer .ms-key-value")].map((n) => n.textContent).map((x) => x.replaceAll("\u00A0", " ")).join("; ")' \
  '60.013 ± 0.030 N; (47.19 ± 0.13)×103 N/mm; 161 135 to 185; 4.1733 ± 0.0021 rad/s'
check_page "and their symbols" '[...document.querySelectorAll("#answer .ms-key i")].map((n) => n.textContent).join()' 'FS,KT,Q,ω0'
cdp Page.reload
sleep 0.5
browser_wait
settle
check_page "the page remembers the choice" "$points" '*,a mm/s²,Q,*'
choose frequency hz
choose damping percent
choose amplitude modal
choose units si
check_page "and back" "$points" "$first"
evaluate 'URL.createObjectURL = (blob) => { blob.text().then((text) => { csv = text; }); return "data:,"; };
  document.querySelector("#table-3 .ms-tool").click()'
check_page "the file has all columns, in SI" 'csv' 'mode,omega \[rad/s],omega_error \[rad/s],q \[m sqrt(kg)],zeta,determined,force \[N]
1,4.1732917,0.0021,0.00331,0.0031,1,17416000
2,11.6932,0.0117,2.7e-05,0.0117,0,2510000
2,11.6417,0,1.9e-13,0,1,8300000'

# ---- paper ----

evaluate 'dispatchEvent(new Event("beforeprint"))'
check_page "on paper figures are drawn for the page and warnings unfolded" \
  '[Math.max(...[...document.querySelectorAll("figure")].map((f) => f.getBoundingClientRect().width)) <= 680.5,
    document.querySelectorAll(".ms-warnings details[open]").length].join()' true,1
evaluate 'dispatchEvent(new Event("afterprint"))'
check_page "and back on the screen" 'document.querySelectorAll(".paper, details[open]:not(#ms-switch)").length' 0
like "no error, no warning with other units and on paper" "$(errors)" ''

# ---- without scripts ----

cdp Emulation.setScriptExecutionDisabled '{"value":true}'
cdp Page.reload
sleep 1
browser_wait
check_page "without scripts there are the still pictures" \
  '[...document.querySelectorAll(".ms-still")].filter((s) => s.getBoundingClientRect().height > 50).length' 4
check_page "with their curves" \
  '[...document.querySelectorAll(".ms-still")].map((s) => s.querySelectorAll("path.line, path.area").length > 2).join()' \
  true,true,true,true
check_page "and every row of a table" "$rows" 64
check_page "and a picture of the first mode" '(() => { const s = document.querySelector(".ms-shape-still");
  return [s.getBoundingClientRect().height > 100, s.querySelectorAll("path").length > 20, s.querySelectorAll(".mark").length,
    document.querySelector(".ms-shape-first").textContent].join(); })()' 'true,true,2,Mode 7, 181.4 Hz; 4 modes in all.'

finish
