# Texts against those on record, where numbers may differ by rounding: what test_commands.sh and reference.sh have in common.
# shellcheck shell=bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

# alike EXPECTED NOW: the lines that are not the same. Numbers with a point or an exponent may differ by 1e-6 of their size, or by one in the
# last digit of the one with more decimals, if it has four or stands for 1e-6; whole numbers and words may not, blanks may differ in number.
alike() {
  awk '
    function pull(line, number,    n, rest) { # words of the line, between them number[1..n]
      n = 0; words = ""; rest = line
      while (match(rest, /[-+]?[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?/)) {
        words = words substr(rest, 1, RSTART - 1) "#"
        number[++n] = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
      }
      words = words rest
      gsub(/[ ]+/, " ", words)
      return n
    }
    function last_digit(x,    power, mantissa, unit) {
      if (x !~ /[.e]/) return 1e300
      power = x ~ /e/ ? substr(x, index(x, "e") + 1) + 0 : 0
      mantissa = x; sub(/e.*/, "", mantissa)
      unit = 10^(power - (mantissa ~ /[.]/ ? length(mantissa) - index(mantissa, ".") : 0))
      sub(/[.]/, "", mantissa); sub(/^[-+]?0*/, "", mantissa)
      return length(mantissa) > 3 || unit < 1.1e-6 ? unit : 0
    }
    function apart(a, b,    size, unit, difference) {
      if (a + 0 == b + 0) return 0
      if ((a b) !~ /[.e]/) return 1
      size = a < 0 ? -a : a + 0
      difference = a - b; if (difference < 0) difference = -difference
      unit = last_digit(a) < last_digit(b) ? last_digit(a) : last_digit(b)
      return difference > 1e-6*size && difference > 1.001*unit
    }
    function same(a, b,    n, k, left) {
      n = pull(a, one); left = words
      if (pull(b, other) != n || words != left) return 0
      for (k = 1; k <= n; k++) if (apart(one[k], other[k])) return 0
      return 1
    }
    NR == FNR { was[++n_was] = $0; next }
    { now[++n_now] = $0 }
    END {
      for (i = j = 1; i <= n_was || j <= n_now;) {
        if (i <= n_was && j <= n_now && (was[i] == now[j] || same(was[i], now[j]))) { i++; j++; continue }
        for (gap = 1; gap < 40; gap++) { # the next line that both have
          if (i + gap <= n_was && j <= n_now && same(was[i + gap], now[j])) { for (; gap > 0; gap--) print "gone:  " was[i++]; break }
          if (j + gap <= n_now && i <= n_was && same(was[i], now[j + gap])) { for (; gap > 0; gap--) print "added: " now[j++]; break }
        }
        if (gap == 0) continue
        if (i <= n_was) print "was:   " was[i++]
        if (j <= n_now) print "now:   " now[j++]
      }
    }' "$1" "$2" | cut -c1-400 | head -n 40
}
# on_record TEXT EXPECTED NOW; WRITE=1 makes NOW the record.
on_record() {
  [[ -z ${WRITE-} ]] || cp "$3" "$2"
  report "$1" "$(alike "$2" "$3")"
}

# play RECORD: the commands of the record (lines that begin with "$ "), each with what it says now: standard output, standard
# error behind "! ", and the exit code if it is not 0. Comments and empty lines before a command stay.
play() {
  local line code
  while IFS= read -r line; do
    case $line in
      '#'* | '') echo "$line" ;;
      '$ '*)
        echo "$line"
        bash -c "${line:2}" >.out 2>.error </dev/null
        code=$?
        sed '/^$/s/^$/|/; /^[#$!=]/s/^/|/' .out
        sed 's/^/! /' .error
        ((code == 0)) || echo "= $code"
        ;;
    esac
  done <"$1"
}
# compare_commands FOLDER [NAME...]: every record of the folder, or these, in an empty folder where `data` and `examples` are.
compare_commands() {
  local record name
  PATH=${microslip%/*}:$build_dir/tests:$source_dir/tests/cli:$PATH
  export PATH COLUMNS=100 LC_ALL=C
  for record in "$1"/*.txt; do
    name=$(basename "$record" .txt)
    (($# == 1)) || [[ " ${*:2} " == *" $name "* ]] || continue
    mkdir "$name" && ln -s "$source_dir/tests/data" "$name/data" && ln -s "$source_dir/examples" "$name/examples"
    (cd "$name" && play "$record") >"$name.now"
    on_record "microslip $name: what it says is on record" "$record" "$name.now"
  done
}
