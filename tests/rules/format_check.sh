#!/usr/bin/env bash
# Fails, naming the lines, when a source file is not as clang-format would leave it.
#   tests/rules/format_check.sh [CLANG-FORMAT]        mend with: clang-format -i FILE...
set -euo pipefail
cd "$(dirname "$0")/../.."
tool=${1:-clang-format}
find app core render ui scenes tests \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z |
  xargs -0 -P "$(nproc)" -n 40 "$tool" --dry-run -Werror --ferror-limit=3
