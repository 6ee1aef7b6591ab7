#!/usr/bin/env bash
# Runs shipped scenes and compares what is seen and what is observed in every frame with the record in tests/golden/runs, bit
# for bit. Says which scene differs and from which frame on. The records change only with a line in CHANGELOG.md.
#   tests/golden/compare_runs.sh PROGRAM "THREADS..." [SCENE...]     all scenes when none is named; HAZUMI_RUNS: other records;
#   HAZUMI_LAST: the frame at which to end; HAZUMI_TO_END=1: on the last of THREADS the run goes on to the end of the scene;
#   HAZUMI_OTHERS: the frame at which to end on the others of THREADS
# PROGRAM is hazumi-cli, or hazumi-digests, which needs the core only.
set -uo pipefail
export HAZUMI_CHECK_ACCOUNTS=1  # a run in which contacts give more than they took ends there
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$1 threads=$2 end=${HAZUMI_LAST:-90}
run() {  # SCENE THREADS LAST
  case $program in
    *hazumi-digests) "$program" "$root/scenes/$1.json" "$3" "$2" ;;
    *) "$program" simulate "$root/scenes/$1.json" --frames "0-$3" --digest --threads "$2" ;;
  esac
}
recorded() {  # FILE LAST
  if [[ -n ${HAZUMI_LAST:-}${HAZUMI_OTHERS:-} ]]; then head -n $(($2 + 1)) "$1"; else cat "$1"; fi
}
shift 2
runs=${HAZUMI_RUNS:-$root/tests/golden/runs}
seen=$(mktemp)
trap 'rm -f "$seen"' EXIT
bad=0

if [[ $# -eq 0 ]]; then
  for scene in "$root"/scenes/*.json; do set -- "$@" "$(basename "$scene" .json)"; done
  for record in "$runs"/*.txt; do
    name=$(basename "$record" .txt)
    [[ -e $root/scenes/$name.json ]] || { echo "$name: recorded, but no such scene is shipped" >&2; bad=1; }
  done
fi

for scene in "$@"; do
  record=$runs/$scene.txt
  [[ -s $record ]] || { echo "$scene: not recorded; tests/golden/record_runs.sh does that" >&2; bad=1; continue; }
  for n in $threads; do
    compared=$end
    if [[ -n ${HAZUMI_OTHERS:-} && $n != "${threads##* }" ]]; then compared=$HAZUMI_OTHERS; fi
    last=$compared
    if [[ -n ${HAZUMI_TO_END:-} && $n == "${threads##* }" ]]; then
      last=$(sed -n 's/^ *"last_frame": *\([0-9]*\).*/\1/p' "$root/scenes/$scene.json" | head -n 1)
      [[ $last -ge $end ]] || { echo "$scene: ends at frame \"$last\", before $end" >&2; bad=1; continue; }
    fi
    if ! run "$scene" "$n" "$last" >"$seen"; then
      echo "$scene: the run stopped on $n threads" >&2
      bad=1
      continue
    fi
    first=$(awk 'NR == FNR { line[FNR] = $0; last = FNR; next }
                 line[FNR] != $0 { split($0 line[FNR], word); print word[2]; found = 1; exit }
                 { read = FNR }
                 END { if (!found && read != last) print read }' <(recorded "$record" "$compared") <(head -n $((compared + 1)) "$seen"))
    if [[ -n $first ]]; then
      echo "$scene: differs from frame $first on, on $n threads" >&2
      grep "^frame $first " "$record" | sed 's/^/  recorded: /' >&2
      grep "^frame $first " "$seen" | sed 's/^/  now:      /' >&2
      bad=1
    else
      echo "$scene: $(wc -l <"$seen") frames equal on $n threads"
    fi
  done
done
exit $bad
