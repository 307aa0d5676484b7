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
like "an exception is noticed" "$(errors)" '*NoSuchThing is not defined*'
check_page "and the still pictures stay" 'document.querySelectorAll(".ms-still").length' 4
: >"$browser_events"

# ---- what is there ----

browser_open "$temp/page.html"
settle
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
check_page "and says so" 'document.querySelector("#figure-2 .ms-entry").getAttribute("aria-pressed")' false
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
  '[...document.querySelectorAll(".ms-viewer option")].map((o) => o.textContent).join("; ")' \
  'Mode 7, 181.4 Hz; Mode 8, 497.2 Hz; Mode 9, 612.9 Hz'
evaluate 'document.querySelector(".ms-viewer select").value = 1;
  document.querySelector(".ms-viewer select").dispatchEvent(new Event("change"))'
settle
evaluate 'picture()'
second=$value
check_page "another mode is another picture" "picture() !== $home && painted() > 40000" true
check_page "and it is named" 'canvas.getAttribute("aria-label")' \
  'Two plates with a lap joint, free.: Mode 8, 497.2 Hz. Drag *'
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
check_page "from the first to the last" 'document.querySelector(".ms-viewer select").value' 2
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
    document.querySelector(".ms-shape-first").textContent].join(); })()' 'true,true,2,Mode 7, 181.4 Hz; 3 modes in all.'

finish
