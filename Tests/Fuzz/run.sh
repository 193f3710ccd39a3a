#!/usr/bin/env bash
# run.sh TARGET|all: fuzzes with PROGRAMS, those that `make fuzz` built unless given, each target for TIME seconds (60)
# or RUNS executions, JOBS (2) at a time. SEED draws the same inputs again, from the same seeds and corpus. The first
# input that breaks a target ends it and is kept in .build/fuzz-found; the corpus grows in .build/fuzz-corpus. With
# EXTREMES=N every Nth seed is played before with each of its numbers as far out as it goes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
read -ra programs <<< "${PROGRAMS:-$(echo .build/fuzz/release/fuzz-{data,command,models})}"
mlc=.build/release/mlc
[ -x "$mlc" ] || mlc=.build/debug/mlc
export MLC="$PWD/$mlc" HDF5_SERVER="$PWD/.build/release/hdf5-server" HDF5_SAMPLE="$PWD/.build/fuzz-seeds/hdf5/file_0006"

# A Swift trap is a signal that libFuzzer reports; the backtracer would outlive it.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:malloc_context_size=2

play() {
  local program=$1 target=$2 found=.build/fuzz-found/$2/ corpus=.build/fuzz-corpus/$2 log=.build/fuzz-logs/$2.log
  mkdir -p "$found" "$corpus" ".build/fuzz-seeds/$target" .build/fuzz-logs
  local limit=(-max_total_time="${TIME:-60}")
  [ -z "${RUNS:-}" ] || limit=(-runs="$RUNS")
  [ -z "${SEED:-}" ] || limit+=(-seed="$SEED")
  local folder status=0 extremes=
  folder=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)/mlc-fuzz.XXXXXX")
  if [ -n "${EXTREMES:-}" ]; then
    local seeds
    mapfile -t seeds < <(find ".build/fuzz-seeds/$target" -type f | sort \
      | awk -v step="$EXTREMES" '(NR - 1) % step == 0')
    # 16 GB of addresses, of which the most are never memory.
    if ! extremes=$(ulimit -v 16000000
      TMPDIR=$folder "$program" extremes "$target" "${found}extreme" "${seeds[@]}" 2> "$log"); then
      rm -rf "$folder"
      echo "$target: an extreme number breaks it: ${found}extreme"
      grep 'Fatal error' "$log" | head -1 || true
      return 1
    fi
    [ "$extremes" = 0 ] && extremes= || extremes=", $extremes with extreme numbers"
  fi
  TMPDIR=$folder "$program" "$target" "${limit[@]}" -rss_limit_mb=1024 -timeout=10 -max_len="${LENGTH:-16384}" \
    -artifact_prefix="$found" -print_final_stats=1 "$corpus" ".build/fuzz-seeds/$target" 2> "$log" || status=$?
  rm -rf "$folder"
  local runs edges
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  edges=$(grep -o 'cov: [0-9]*' "$log" | tail -1 || true)
  printf '%-18s %9s runs  %s%s\n' "$target" "${runs:-?}" "${edges:-cov: ?}" "$extremes"
  [ "$status" = 0 ] && return
  # Where it broke in our code, and the input, if it is small.
  grep -E 'Fatal error|SUMMARY|ERROR|Test unit written|runtime failure' "$log" | head -6 || true
  grep -oE '(Sources|Converters|Tests)/[^ ]*\.swift:[0-9]+' "$log" | head -4 || true
  grep '^Base64' "$log" || true
  return 1
}
export -f play

for program in "${programs[@]}"; do
  if [ ! .build/fuzz-seeds/made -nt "$program" ]; then
    rm -rf .build/fuzz-seeds
    for each in "${programs[@]}"; do "$each" seeds .build/fuzz-seeds; done
    python3 Tests/Fuzz/make_seeds.py .build/fuzz-seeds $([ -x "$MLC" ] && echo "$MLC")
    touch .build/fuzz-seeds/made
  fi
done

chosen=
for program in "${programs[@]}"; do
  for target in $("$program" list); do
    case " $* " in *" all "* | *" $target "*) chosen+="$program $target"$'\n' ;; esac
  done
done
if [ -z "$chosen" ]; then
  echo "There is no target '$*'." >&2
  exit 2
fi
printf '%s' "$chosen" | xargs -P "${JOBS:-2}" -I{} bash -euo pipefail -c 'play {}'
