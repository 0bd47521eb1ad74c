#!/usr/bin/env bash
# Runs all checks of the Metal backend on a Mac: on_device.sh BUILD_DIR IMAGES [SIZE...]
#
# BUILD_DIR holds inkread, conformance_test and inkread-lab of a Release build; IMAGES is a folder of images
# (bench/dataset/make.py draws one); SIZEs are models that are fetched (default: tiny small). Texts read with Metal may
# differ from the CPU's precise ones by 3 characters an image and 8 in all; falling back is a fault. Nothing stops at
# the first fault: the exit code is the number of steps that failed.
set -u
build=$1 images=$2
shift 2
[ $# != 0 ] || set -- tiny small
faults=0
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

run() {
  printf '\n== %s\n' "$*"
  "$@" || { echo "FAILED ($?)"; faults=$((faults + 1)); }
}

run "$build/apps/inkread" devices
run "$build/bench/lab/inkread-lab" probe --backend metal --precision fast
run env INKREAD_TEST_BACKENDS=metal "$build/tests/conformance/conformance_test" --gtest_brief=1
for size in "$@"; do
  bench=("$build/apps/inkread" bench --input "$images" --size "$size" --warmup 0)
  run "${bench[@]}" --backend cpu --precision precise --out "$results/$size.cpu.json"
  run "${bench[@]}" --backend metal --strict --out "$results/$size.metal.json"
  run "$build/apps/inkread" bench --compare "$results/$size.cpu.json" "$results/$size.metal.json" \
    --max-edits 8 --max-edits-per-image 3
  lab=$build/bench/lab/inkread-lab
  run "$lab" stress --input "$images" --size "$size" --backend metal --precision fast --threads 4 --reads 40
  run "$lab" repeat "$size/det" --shape 1x736x960 --backend metal --precision fast --runs 8
  run "$lab" repeat "$size/rec" --shape 16x48x320 --ctc --backend metal --precision fast --runs 8
  run "$lab" profile "$size/det" --shape 1x736x960 --backend metal --precision fast --top 15
  run "$lab" profile "$size/rec" --shape 16x48x320 --ctc --backend metal --precision fast --top 15
done
exit $faults
