#!/bin/bash
# What the commands print of finite elements, as tests/data/commands/fem has it (see ../record.sh).
source "$(dirname "$0")/../record.sh"
compare_commands "$source_dir/tests/data/commands/fem" "$@"
finish
