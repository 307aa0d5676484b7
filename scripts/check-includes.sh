#!/bin/bash
# usage: scripts/check-includes.sh [ROOT]
#
# Who may include whom. Reads every #include in include/, src/, app/ and octave/ and fails on any arrow
# between rooms that is not in the table, and where the folders of a room include each other in a
# circle. And src/study stays small: what computes, draws or reads a format belongs below it.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

declare -A may=( # every room may include itself
  [core]=""
  [joint]="core" [signal]="core" [io]="core"
  [structure]="core io joint"
  [fem]="core io joint structure response"
  [response]="core joint structure signal"
  [experiment]="core io joint structure signal response"
  [identify]="core io joint structure signal response experiment"
  [report]="core io"
  [study]="core joint signal io structure fem response experiment identify report"
)
# A public header says its room in its first line: "/* [response] Harmonic balance. */"
declare -A public_room=()
for header in include/microslip/*.h; do
  name=$(basename "$header" .h)
  public_room[$name]=$(sed -n '1s|^/\* \[\([a-z]*\)\] .*|\1|p' "$header")
done

n_bad=0
bad() { # file line message
  echo "$1:$2: $3" >&2
  n_bad=$((n_bad + 1))
}

declare -A arrow_seen=() # "FOLDER FOLDER" inside of a room
# note_folders FILE PATH: FILE includes PATH of its own room. A folder is joint/laws or
# study/analyses/modes; what stands at the top of its room is in none.
note_folders() {
  local pattern="^(study/analyses/[a-z_0-9]+|[a-z]+/[a-z_0-9]+)/" from
  [[ ${1#src/} =~ $pattern ]] || return
  from=${BASH_REMATCH[1]}
  if [[ $2 =~ $pattern && ${BASH_REMATCH[1]} != "$from" ]]; then arrow_seen["$from ${BASH_REMATCH[1]}"]=1; fi
}

is_room() { [[ $1 =~ ^[a-z]+$ && -v may[$1] ]]; }

# arrow FILE LINE FROM TO
arrow() {
  [[ $3 == "$4" || " ${may[$3]} " == *" $4 "* ]] && return
  bad "$1" "$2" "room $3 must not include room $4"
}

# public FILE LINE FROM HEADER: HEADER is the name without microslip/ and .h
public() {
  if [[ $3 == app ]]; then
    [[ -f include/microslip/$4.h ]] || bad "$1" "$2" "there is no public header $4.h"
  elif [[ $4 == microslip ]]; then
    bad "$1" "$2" "microslip.h opens every room and is for app/ only"
  elif is_room "${public_room[$4]:-none}"; then
    arrow "$1" "$2" "$3" "${public_room[$4]}"
  else
    bad "$1" "$2" "public header $4.h does not say its room in its first line"
  fi
}

# one FILE LINE FROM TEXT: TEXT is what stands after #include
one() {
  local file=$1 line=$2 from=$3 path
  if [[ $4 =~ ^\"([^\"]+)\" ]]; then
    path=${BASH_REMATCH[1]}
    local quoted=1
  elif [[ $4 =~ ^\<([^\>]+)\> ]]; then
    path=${BASH_REMATCH[1]}
    local quoted=0
  else
    bad "$file" "$line" "cannot read this include: $4"
    return
  fi
  local first=${path%%/*}
  if [[ /$path/ == */../* || /$path/ == */./* || $path == /* ]]; then
    bad "$file" "$line" "no absolute path and no . or .. in an include: $path"
  elif [[ $path == microslip/*.h ]]; then
    path=${path#microslip/}
    public "$file" "$line" "$from" "${path%.h}"
  elif [[ $first =~ ^(petsc|slepc|mpi)[a-z]*(\.h)?$ ]]; then
    [[ $from == fem ]] || bad "$file" "$line" "only fem knows PETSc, SLEPc and MPI"
  elif [[ $quoted == 1 && -f ${file%/*}/$path ]]; then
    : # beside the file: the same room
  elif [[ $from == app ]]; then
    if [[ $quoted == 1 && ! (-f app/$path && $file == app/"$first"/*) ]] || is_room "$first"; then
      bad "$file" "$line" "app includes <microslip/...> and its own files only: $path"
    fi
  elif [[ $path == */* ]] && is_room "$first"; then
    if [[ $first == "$from" ]]; then note_folders "$file" "$path"; fi
    arrow "$file" "$line" "$from" "$first"
  elif [[ $quoted == 1 ]]; then
    bad "$file" "$line" "neither beside the file nor in a known room: $path"
  fi
}

# The room a file is in, empty if it is in none.
room_of() {
  local rest
  case $1 in
  app/*/* | octave/*) echo app ;;
  include/microslip/*.h)
    rest=${1#include/microslip/}
    rest=${rest%.h}
    if is_room "${public_room[$rest]:-none}"; then echo "${public_room[$rest]}"; fi
    ;;
  src/*/*)
    rest=${1#src/}
    if is_room "${rest%%/*}"; then echo "${rest%%/*}"; fi
    ;;
  esac
}

n_files=0
n_includes=0
while IFS= read -r -d '' file; do
  n_files=$((n_files + 1))
  [[ $file == include/microslip/microslip.h ]] && continue
  from=$(room_of "$file")
  if [[ -z $from ]]; then
    bad "$file" 1 "this file is in no known room"
    continue
  fi
  while IFS=: read -r line text; do
    n_includes=$((n_includes + 1))
    one "$file" "$line" "$from" "$text"
  done < <(sed -nE '/^[[:space:]]*#[[:space:]]*include/{s/^[[:space:]]*#[[:space:]]*include[[:space:]]*//;s/^/:/;=;p}' "$file" |
    sed 'N;s/\n//')
done < <(find include src app octave -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' \) -print0 2>/dev/null)

# tsort names the folders of a circle, each on a line of its own.
if ! circle=$(printf "%s\n" "${!arrow_seen[@]}" | tsort 2>&1 >/dev/null); then
  circle=$(sed -nE "s/^tsort: ([a-z_0-9]+\/.*)/\1/p" <<<"$circle" | tr "\n" " ")
  bad src 1 "these folders include each other in a circle: ${circle% }"
fi

most_study=20000
n_study=$(find src/study -type f \( -name '*.[ch]' -o -name '*.def' \) -exec cat {} + 2>/dev/null | wc -l)
if ((n_study > most_study)); then
  bad src/study 1 "$n_study lines of C, headers and .def; at most $most_study: move mechanics into the rooms below"
fi

if [[ $n_files == 0 ]]; then
  echo "check-includes: found no source under $PWD" >&2
  exit 2
fi
echo "check-includes: $n_files files, $n_includes includes, $n_study lines in src/study, $n_bad wrong"
[[ $n_bad == 0 ]]
