#!/bin/sh
# usage: packages.sh FOLDER
#
# Puts the packages of package-lock.json into FOLDER/node_modules, unless they are there.
set -eu
cd "$(dirname "$0")"
if cmp -s package-lock.json "$1/node_modules/of.json"; then exit 0; fi
mkdir -p "$1"
cp package.json package-lock.json "$1"
(cd "$1" && npm ci --ignore-scripts --no-audit --no-fund)
cp package-lock.json "$1/node_modules/of.json"
