#!/usr/bin/env bash
# Builds and runs the benchmarks; rows go to tests/bench/results/latest.json (committed: they are the claims).
# Arguments are passed on (--benchmark_filter=…). These machines are shared: read ratios within one run.
set -euo pipefail
cd "$(dirname "$0")/../.."
app/install.sh app/packages.txt tests/packages.txt
cmake --preset bench -DHAZUMI_TESTS=OFF >/dev/null
cmake --build build/bench --target hazumi_bench
build/bench/bin/hazumi_bench --benchmark_out=tests/bench/results/latest.json --benchmark_out_format=json "$@"
