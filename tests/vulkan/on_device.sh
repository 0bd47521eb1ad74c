#!/usr/bin/env bash
# Everything that a machine with a GPU can say of the Vulkan backend, in one go: on_device.sh BUILD_DIR [DEVICE]
#
# BUILD_DIR holds inkread, conformance_test, vulkan_test, run_network and inkread-lab of a Release build; DEVICE is as
# `inkread devices` lists it (default: the first that is taken unasked). Networks whose models are missing are passed
# over. Nothing stops at the first fault: the exit code is the number of steps that failed.
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
  [ -f "$models/${1%/*}/${1#*/}.onnx" ] || { echo "no $1 in $models"; return; }
  run "$lab" repeat "$1" --shape "$2" "${@:3}" --backend "vulkan$device" --runs 8
  run "$lab" profile "$1" --shape "$2" "${@:3}" --backend "vulkan$device" --runs 20 --top 15
  # Submit to fence with the transfers, as reading does it; the first run makes the kernels.
  printf '\n== %s %s, milliseconds of each run\n' "$1" "$2"
  local input
  input=$(mktemp)
  head -c $((${2%%x*} * $(echo "${2#*x}" | sed 's/x/*/') * 3 * 4)) /dev/zero > "$input"
  IFS=x read -r n h w <<< "$2"
  "$build/tests/golden/run_network" "$models/${1%/*}/${1#*/}.onnx" "vulkan$device" 4 "$input" /dev/null "$n" "$h" "$w" 12 ||
    faults=$((faults + 1))
  rm -f "$input"
}
for size in tiny small; do
  time_network $size/det 1x736x960
  time_network $size/rec 16x48x320 --ctc
done
exit $faults
