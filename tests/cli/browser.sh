# The head of tests in a browser, instead of checks.sh: a headless chromium, driven through the DevTools protocol (messages in
# JSON, each ended by a zero byte, on file descriptors 3 and 4 of the browser). Needs chromium and jq.
#
#   browser_start FOLDER        keeps everything it writes in FOLDER
#   browser_open FILE           opens it in a new tab and waits until it has loaded
#   cdp METHOD [JSON]           the result is in $reply
#   evaluate EXPRESSION         in the page; the value, as text, is in $value
#   check_page TEXT EXPRESSION PATTERN
#   settle                      until everything asked for has been drawn: two frames later
#   browser_stop
# What the page reports (errors, console, requests) is appended to $browser_events, one event a line.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
clean_up() { browser_stop; }

browser_fail() {
  echo "# browser: $*" >&2
  [[ -s ${browser_folder-}/stderr ]] && tail -n 5 "$browser_folder/stderr" | sed 's/^/# /' >&2
  exit 1
}

browser_start() {
  browser_folder=$1
  browser_events=$1/events
  browser_id=0
  browser_session=
  mkdir -p "$1/profile"
  : >"$browser_events"
  mkfifo "$1/to" "$1/from"
  exec 8<>"$1/to" 9<>"$1/from"
  local sandbox=()
  [[ $(id -u) == 0 ]] && sandbox=(--no-sandbox) # chromium refuses to run as root with one
  chromium --headless "${sandbox[@]}" --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
    --disable-dev-shm-usage --user-data-dir="$1/profile" --remote-debugging-pipe about:blank \
    3<"$1/to" 4>"$1/from" 8>&- 9>&- >"$1/stdout" 2>"$1/stderr" &
  browser_pid=$!
}

browser_stop() {
  [[ -n ${browser_pid-} ]] || return 0
  kill "$browser_pid" 2>/dev/null
  wait "$browser_pid" 2>/dev/null
  browser_pid=
}

# Reads one message into $message.
browser_read() {
  IFS= read -r -d '' -t 60 message <&9 || browser_fail "no answer within 60 s to: ${1-}"
}

cdp() {
  local parameters=${2-}
  [[ -n $parameters ]] || parameters='{}'
  browser_id=$((browser_id + 1))
  local session=
  [[ -n $browser_session ]] && session="\"sessionId\":\"$browser_session\","
  printf '{"id":%d,%s"method":"%s","params":%s}\0' "$browser_id" "$session" "$1" "$parameters" >&8
  while :; do
    browser_read "$1"
    [[ $message == "{\"id\":$browser_id,"* ]] && break
    printf '%s\n' "$message" >>"$browser_events"
  done
  [[ $message == "{\"id\":$browser_id,\"error\""* ]] && browser_fail "$1: $message"
  reply=$message
}

evaluate() {
  cdp Runtime.evaluate "$(jq -nc --arg e "$1" \
    '{expression: $e, returnByValue: true, awaitPromise: true}')"
  value=$(jq -r '.result | if .exceptionDetails then "exception: " + .exceptionDetails.exception.description
    elif .result.type == "undefined" then "undefined" else .result.value | tostring end' <<<"$reply")
}

check_page() {
  evaluate "$2"
  like "$1" "$value" "$3"
}
settle() { evaluate 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))'; }

browser_wait() { # until the page is there
  local i
  for ((i = 0; i < 300; i++)); do
    evaluate 'document.readyState + location.protocol'
    [[ $value == completefile: ]] && return
    sleep 0.1
  done
  browser_fail "the page does not finish loading"
}

browser_open() {
  browser_session=
  cdp Target.createTarget '{"url":"about:blank"}'
  cdp Target.attachToTarget "$(jq -c '{targetId: .result.targetId, flatten: true}' <<<"$reply")"
  browser_session=$(jq -r .result.sessionId <<<"$reply")
  cdp Runtime.enable
  cdp Log.enable
  cdp Network.enable
  cdp Page.enable
  browser_size 1280 900
  cdp Page.navigate "$(jq -nc --arg u "file://$1" '{url: $u}')"
  [[ $(jq -r '.result.errorText // "none"' <<<"$reply") == none ]] || browser_fail "cannot open $1"
  browser_wait
}

# browser_size WIDTH HEIGHT
browser_size() {
  cdp Emulation.setDeviceMetricsOverride \
    "{\"width\":$1,\"height\":$2,\"deviceScaleFactor\":1,\"mobile\":false}"
}

# mouse TYPE X Y [JSON]: mousePressed, mouseReleased, mouseMoved or mouseWheel.
mouse() {
  cdp Input.dispatchMouseEvent "$(jq -nc --arg t "$1" --argjson x "$2" --argjson y "$3" \
    --argjson more "${4:-{\}}" '{type: $t, x: $x, y: $y, button: "none", pointerType: "mouse"} + $more')"
}
