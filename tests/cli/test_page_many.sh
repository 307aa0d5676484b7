#!/bin/bash
# A report of 200 figures with 1000 points each: how soon it is there, and how much memory it takes.
source "$(dirname "$0")/browser.sh"

"$build_dir/tests/page_many" "$temp/page.html" 200 1000 || exit 1
within "bytes of the file" "$(stat -c %s "$temp/page.html")" 1e6 30e6
# The same page, whose figures all start at once.
sed 's/start: (element) => observer.observe(element)/start: begin/' "$temp/page.html" >"$temp/eager.html"
browser_start "$temp/browser"

# measure FILE: milliseconds until it is painted and until it has loaded, and bytes of the script's heap. The best of five, as
# other programs may be busy.
measure() {
  local i best=1e9
  browser_open "$1"
  for ((i = 0; i < 5; i++)); do
    cdp Page.reload
    sleep 0.2
    browser_wait
    settle
    evaluate 'Math.round(performance.getEntriesByType("paint")[0].startTime) + " " +
      Math.round(performance.getEntriesByType("navigation")[0].loadEventEnd)'
    if awk "BEGIN { exit !(${value#* } < $best) }"; then read -r painted loaded <<<"$value"; best=$loaded; fi
  done
  cdp HeapProfiler.collectGarbage
  cdp Runtime.getHeapUsage
  heap=$(jq .result.usedSize <<<"$reply")
  echo "# $(basename "$1"): painted after $painted ms, loaded after $loaded ms, heap $heap bytes"
}
measure "$temp/eager.html"
eager=$loaded
check_page "all figures of the other page are live" 'document.querySelectorAll(".ms-plots.live").length' 200
measure "$temp/page.html"
within "milliseconds until it is painted" "$painted" 0 1000
within "and ready" "$loaded" 0 1000
within "bytes of the script's heap" "$heap" 0 100e6
check_page "the first figure is live, most others are not yet" \
  'document.querySelector("#figure-1 .ms-plots").classList.contains("live") + " " + (document.querySelectorAll(".ms-plots.live").length < 10)' 'true true'
within "of the time that starting all figures takes" "$(awk "BEGIN { print $loaded/$eager }")" 0 0.9
evaluate 'document.documentElement.style.scrollBehavior = "auto"; document.querySelector("#figure-150").scrollIntoView(); 1'
settle
sleep 0.3
settle
check_page "a figure that is scrolled to becomes live" \
  'document.querySelector("#figure-150 .ms-plots").classList.contains("live")' true
finish
