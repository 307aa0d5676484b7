#!/bin/bash
# usage: scripts/check-text.sh [ROOT]
#
# What must not be in the files of the project: notes of things left to do, paths of somebody's
# machine, names of package hosts; and in C files tabs or spaces at the end of a line.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

# The files git knows or would add; without git, everything that is not built.
list_files() {
  git ls-files -z --cached --others --exclude-standard 2>/dev/null ||
    find . -name .git -prune -o -name 'build*' -type d -prune -o -type f -print0
}
mapfile -d '' files < <(list_files)
present=()
sources=()
for file in "${files[@]}"; do
  [[ -f $file ]] || continue # deleted but not yet committed
  present+=("$file")
  case $file in *.c | *.h | *.def) sources+=("$file") ;; esac
done
if [[ ${#present[@]} == 0 ]]; then
  echo "check-text: found no files under $PWD" >&2
  exit 2
fi

n_bad=0
# refuse WHAT PATTERN FILE...: the brackets in the patterns keep this file from finding itself.
refuse() {
  local what=$1 pattern=$2 found
  shift 2
  [[ $# == 0 ]] && return
  found=$(grep -HnIE -e "$pattern" -- "$@") || return
  echo "$found" >&2
  echo "check-text: $what" >&2
  n_bad=$((n_bad + 1))
}

tab=$'\t'
refuse "a note of something left to do" '\b(T[O]DO|F[I]XME)\b' "${present[@]}"
refuse "a path of somebody's machine" '(^|[^[:alnum:]_.~)}-])/(w[o]rk|h[o]me|r[o]ot)(/|$|[^[:alnum:]_-])' "${present[@]}"
refuse "the name of a package host" \
  '(d[e]b|f[t]p|security|archive|snapshot)[.](debian|ubuntu)[.](org|com)|p[y]pi[.]org|files[.]p[y]thonhosted|registry[.]n[p]mjs|a[r]tifactory' \
  "${present[@]}"
refuse "a tab in a C file" "$tab" "${sources[@]}"
refuse "spaces at the end of a line in a C file" ' +$' "${sources[@]}"

echo "check-text: ${#present[@]} files, $n_bad kinds of fault"
[[ $n_bad == 0 ]]
