#!/bin/bash
# usage: scripts/check-links.sh [ROOT]
#
# Links and pictures in Markdown pages lead to a file that exists, and with a # to one of its headings.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

mapfile -t pages < <(find . -name .git -prune -o -name 'build*' -type d -prune -o -name '*.md' -print | sed 's|^\./||' | sort)
if [[ ${#pages[@]} == 0 ]]; then
  echo "check-links: found no pages under $PWD" >&2
  exit 2
fi

# "page:line target" of every link, and "page#heading" of every heading as a browser calls it.
find_links() {
  awk 'FNR == 1 { code = 0 }
    /^```/ { code = !code }
    code || /^    / { next }
    {
      text = $0
      gsub(/`[^`]*`/, "", text)
      while (match(text, /\]\([^() ]+\)|src="[^"]+"/)) {
        link = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        gsub(/^\]\(|\)$|^src="|"$/, "", link)
        if (link !~ /^[a-z]+:/) print FILENAME ":" FNR " " link
      }
    }' "$@"
}
find_headings() {
  awk 'FNR == 1 { code = 0 }
    /^```/ { code = !code }
    !code && /^#+ / {
      text = tolower($0)
      sub(/^#+ +/, "", text)
      gsub(/\]\([^)]*\)/, "", text)
      gsub(/[^a-z0-9_ -]/, "", text)
      gsub(/ /, "-", text)
      print FILENAME "#" text
    }' "$@"
}

declare -A heading
while IFS= read -r name; do heading[$name]=1; done < <(find_headings "${pages[@]}")
n_links=0
n_bad=0
while read -r place link; do
  n_links=$((n_links + 1))
  page=${place%%:*}
  folder=.
  [[ $page == */* ]] && folder=${page%/*}
  file=${link%%#*}
  if [[ $file && ! -e $folder/$file ]]; then
    echo "$place: $link leads nowhere" >&2
    n_bad=$((n_bad + 1))
    continue
  fi
  [[ $link == *#* ]] || continue
  [[ $file ]] && page=$(realpath --relative-to=. "$folder/$file")
  if [[ $page == *.md && -z ${heading[$page#${link#*#}]-} ]]; then
    echo "$place: $link: $page has no such heading" >&2
    n_bad=$((n_bad + 1))
  fi
done < <(find_links "${pages[@]}")
echo "check-links: ${#pages[@]} pages, $n_links links, $n_bad faults"
[[ $n_bad == 0 ]]
