#!/usr/bin/env bash
# Runs all checks of the Vulkan backend on a machine with a GPU: on_device.sh BUILD_DIR [DEVICE]
#
# BUILD_DIR holds inkread, conformance_test, vulkan_test, submit_times, run_network and inkread-lab of a Release build.
# DEVICE is as `inkread devices` lists it (default: the default device). Networks whose models are missing are skipped.
# Nothing stops at the first fault: the exit code is the number of steps that failed.
set -u
build=$1
device=${2:+:$2}
faults=0

run() {
  printf '\n== %s\n' "$*"
  "$@" || { echo "FAILED ($?)"; faults=$((faults + 1)); }
}

run "$build/apps/inkread" devices
run env INKREAD_TEST_BACKENDS=vulkan "$build/tests/conformance/conformance_test" --gtest_brief=1
run "$build/tests/vulkan/vulkan_test" --gtest_brief=1
run env "INKREAD_TEST_VULKAN_DEVICE=${2:-0}" python3 -B "$(dirname "$0")/samples_test.py" "$build/apps/inkread"

models=${INKREAD_MODELS:-${XDG_CACHE_HOME:-$HOME/.cache}/inkread/models}
lab=$build/bench/lab/inkread-lab
time_network() {  # MODEL SHAPE [--ctc]
  local model=$models/${1%/*}/${1#*/}.onnx precision n h w input
  [ -f "$model" ] || { echo "no $1 in $models"; return; }
  IFS=x read -r n h w <<< "$2"
  for precision in fast precise; do
    run "$lab" repeat "$1" --shape "$2" "${@:3}" --backend "vulkan$device" --precision $precision --runs 8
    run "$lab" profile "$1" --shape "$2" "${@:3}" --backend "vulkan$device" --precision $precision --runs 100 --top 15
    echo "minimum, median and maximum milliseconds from submit to fence:"
    run "$build/tests/vulkan/submit_times" "$model" "${device#:}" "$n" "$h" "$w" 400 $precision ${3:+ctc}
  done
  # With what the CPU does for it, and the whole output; the first run makes the kernels.
  printf '\n== %s %s, milliseconds of each run\n' "$1" "$2"
  input=$(mktemp)
  head -c $((n * h * w * 3 * 4)) /dev/zero > "$input"
  "$build/tests/golden/run_network" "$model" "vulkan$device" 4 "$input" /dev/null "$n" "$h" "$w" 12 fast ||
    faults=$((faults + 1))
  rm -f "$input"
}
for size in tiny small medium; do
  time_network $size/det 1x736x960
  time_network $size/rec 16x48x320 --ctc
done
exit $faults
