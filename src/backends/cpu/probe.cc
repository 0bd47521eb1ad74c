#include "backends/cpu/probe.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "backends/cpu/amx_tiles.h"
#include "backends/cpu/parallel.h"
#include "base/aligned_buffer.h"
#include "schedule/probe.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/probe.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// Runs as many rounds of independent multiply-adds, and returns the number of scalar ones.
uint64_t MultiplyAdds(size_t rounds) {
  constexpr size_t kSums = 12;  // latency times ports; leaves room for the factors among sixteen registers
  volatile float half = 0.5f;   // hides the sums from the compiler
  const V a = hn::Set(kD, half), b = hn::Set(kD, half);
  V sums[kSums];
  HWY_UNROLL(kSums) for (size_t i = 0; i < kSums; ++i) sums[i] = hn::Set(kD, static_cast<float>(i));
  for (size_t r = 0; r < rounds; ++r) {
    // The sum is a factor: where multiply and add are two instructions, neither can leave the loop.
    HWY_UNROLL(kSums) for (size_t i = 0; i < kSums; ++i) sums[i] = hn::MulAdd(sums[i], a, b);
  }
  V total = sums[0];
  HWY_UNROLL(kSums) for (size_t i = 1; i < kSums; ++i) total = hn::Add(total, sums[i]);
  volatile float kept = hn::GetLane(total);
  static_cast<void>(kept);
  return uint64_t{rounds} * kSums * kLanes;
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace inkread::cpu {
namespace {

HWY_EXPORT(MultiplyAdds);

using Arithmetic = uint64_t (*)(size_t rounds);

// An instruction to measure: its loop, or the reason why there is none.
struct Instruction {
  std::string name;
  Arithmetic loop;
  std::string unavailable;
};

#if INKREAD_CPU_X86

// As above. The sums must begin with different values, or the compiler would compute one for all.
constexpr size_t kVectorSums = 12;

__attribute__((target("avx512f,avx512bf16"))) uint64_t Bf16Dots(size_t rounds) {
  volatile int ones = 0x3f803f80;
  const __m512i bits = _mm512_set1_epi32(ones);
  __m512bh a;
  std::memcpy(&a, &bits, sizeof(a));
  __m512 sums[kVectorSums];
  HWY_UNROLL(kVectorSums) for (size_t i = 0; i < kVectorSums; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  for (size_t r = 0; r < rounds; ++r) {
    HWY_UNROLL(kVectorSums) for (size_t i = 0; i < kVectorSums; ++i) sums[i] = _mm512_dpbf16_ps(sums[i], a, a);
  }
  __m512 total = sums[0];
  HWY_UNROLL(kVectorSums) for (size_t i = 1; i < kVectorSums; ++i) total = _mm512_add_ps(total, sums[i]);
  volatile float kept = _mm512_cvtss_f32(total);
  static_cast<void>(kept);
  return uint64_t{rounds} * kVectorSums * 32;
}

__attribute__((target("avx512f,avx512vnni"))) uint64_t Int8Dots(size_t rounds) {
  volatile int ones = 0x01010101;
  const __m512i a = _mm512_set1_epi32(ones);
  __m512i sums[kVectorSums];
  HWY_UNROLL(kVectorSums) for (size_t i = 0; i < kVectorSums; ++i) sums[i] = _mm512_set1_epi32(static_cast<int>(i));
  for (size_t r = 0; r < rounds; ++r) {
    HWY_UNROLL(kVectorSums) for (size_t i = 0; i < kVectorSums; ++i) sums[i] = _mm512_dpbusd_epi32(sums[i], a, a);
  }
  __m512i total = sums[0];
  HWY_UNROLL(kVectorSums) for (size_t i = 1; i < kVectorSums; ++i) total = _mm512_add_epi32(total, sums[i]);
  volatile int kept = _mm512_cvtsi512_si32(total);
  static_cast<void>(kept);
  return uint64_t{rounds} * kVectorSums * 64;
}

// Tiles 0 to 3 are sums, 4 to 7 are factors with `ones` in every word.
__attribute__((target("amx-tile"))) void LoadTiles(int ones) {
  const TileConfig config;
  alignas(64) int words[16 * 16];
  std::fill(std::begin(words), std::end(words), ones);
  // g++ 12 does not know that the instructions below read all of these, and would leave out most of the stores.
  asm volatile("" : : "r"(&config), "r"(words) : "memory");
  _tile_loadconfig(&config);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_loadd(4, words, 64);
  _tile_loadd(5, words, 64);
  _tile_loadd(6, words, 64);
  _tile_loadd(7, words, 64);
}

__attribute__((target("amx-tile,amx-bf16"))) uint64_t Bf16Tiles(size_t rounds) {
  LoadTiles(0x3f803f80);
  for (size_t r = 0; r < rounds; ++r) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
  return uint64_t{rounds} * 4 * 16 * 16 * 32;
}

__attribute__((target("amx-tile,amx-int8"))) uint64_t Int8Tiles(size_t rounds) {
  LoadTiles(0x01010101);
  for (size_t r = 0; r < rounds; ++r) {
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
  }
  _tile_release();
  return uint64_t{rounds} * 4 * 16 * 16 * 64;
}

// Empty if tiles may be used.
std::string WhyNoTiles(unsigned edx_bit) {
  if (!HasTiles(edx_bit)) return "this processor has no such instruction";
  if (!RequestTiles()) return "the kernel does not let tiles be used";
  return "";
}

std::vector<Instruction> Instructions() {
  const auto unless = [](bool has) { return has ? "" : "this processor has no such instruction"; };
  return {
      {"bf16 AVX-512", Bf16Dots, unless(__builtin_cpu_supports("avx512bf16"))},
      {"bf16 AMX", Bf16Tiles, WhyNoTiles(kBf16TilesBit)},
      {"int8 AVX-512 VNNI", Int8Dots, unless(__builtin_cpu_supports("avx512vnni"))},
      {"int8 AMX", Int8Tiles, WhyNoTiles(kInt8TilesBit)},
  };
}

#else

std::vector<Instruction> Instructions() {
  const char* reason = "only measured on x86-64 under Linux";
  return {{"bf16", nullptr, reason}, {"int8", nullptr, reason}};
}

#endif  // INKREAD_CPU_X86

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Calls work(thread) on as many threads at once. Each waits until all have begun, so none takes a second share.
template <typename Work>
void OnThreads(ThreadPool& pool, size_t num_threads, const Work& work) {
  std::atomic<size_t> num_here = 0;
  ParallelFor(pool, num_threads, [&](size_t thread) {
    for (++num_here; num_here < num_threads;) std::this_thread::yield();
    work(thread);
  });
}

// The shortest of `repeats` times in which as many threads do work(thread).
template <typename Work>
double BestSeconds(ThreadPool& pool, size_t num_threads, int repeats, const Work& work) {
  double best = 0;
  for (int i = 0; i < repeats; ++i) {
    const double seconds = SecondsOf([&] { OnThreads(pool, num_threads, work); });
    if (i == 0 || seconds < best) best = seconds;
  }
  return best;
}

double MultiplyAddRate(Arithmetic loop, ThreadPool& pool, size_t num_threads) {
  constexpr double kEnoughSeconds = 0.008;  // a thousand times what starting the threads takes
  size_t rounds = 1000;
  const auto work = [&](size_t) { loop(rounds); };
  while (BestSeconds(pool, num_threads, 1, work) < kEnoughSeconds) rounds *= 2;
  return static_cast<double>(loop(rounds)) * static_cast<double>(num_threads) /
         BestSeconds(pool, num_threads, 8, work) * 1e-9;
}

// Copies from one block to another of `bytes` a thread.
ProbeResult CopyRow(const std::string& name, ThreadPool& pool, size_t num_threads, size_t bytes, int copies) {
  ProbeResult row{name, 0, "GB/s read and written", ""};
  std::vector<AlignedBuffer> from(num_threads), to(num_threads);
  for (size_t i = 0; i < num_threads; ++i) {
    if (!from[i].Reserve(bytes).ok() || !to[i].Reserve(bytes).ok()) {
      row.unavailable = "not enough memory";
      return row;
    }
  }
  BestSeconds(pool, num_threads, 1, [&](size_t i) {  // the first touch
    std::memset(from[i].data(), 1, bytes);
    std::memset(to[i].data(), 2, bytes);
  });
  const double seconds = BestSeconds(pool, num_threads, 5, [&](size_t i) {
    for (int k = 0; k < copies; ++k) {
      std::memcpy(to[i].data(), from[i].data(), bytes);
      asm volatile("" : : "r"(to[i].data()) : "memory");  // each copy counts, though the next one is the same
    }
  });
  row.value = 2e-9 * static_cast<double>(bytes) * copies * static_cast<double>(num_threads) / seconds;
  return row;
}

}  // namespace

std::vector<ProbeResult> Probe(Backend& backend, const Context& context) {
  ThreadPool& pool = *context.pool;
  const size_t all = static_cast<size_t>(pool.num_threads());
  const std::pair<size_t, std::string> budgets[] = {{1, ", 1 thread"}, {all, ", all threads"}};

  std::vector<Instruction> instructions = {{"f32", HWY_DISPATCH_TABLE(MultiplyAdds)[context.target], ""}};
  for (Instruction& instruction : Instructions()) instructions.push_back(std::move(instruction));
  std::vector<ProbeResult> rows;
  for (const Instruction& instruction : instructions) {
    for (const auto& [num_threads, suffix] : budgets) {
      ProbeResult row{instruction.name + suffix, 0, "GMAC/s", instruction.unavailable};
      if (row.unavailable.empty()) row.value = MultiplyAddRate(instruction.loop, pool, num_threads);
      rows.push_back(std::move(row));
    }
  }
  constexpr size_t kNearBytes = 256 << 10, kFarBytes = 256 << 20;
  for (const auto& [num_threads, suffix] : budgets) {
    rows.push_back(CopyRow("copy 256 KiB a thread" + suffix, pool, num_threads, kNearBytes, 400));
  }
  for (const auto& [num_threads, suffix] : budgets) {
    rows.push_back(CopyRow("copy 256 MiB" + suffix, pool, num_threads, kFarBytes / num_threads, 1));
  }
  rows.push_back({"loop that all threads take part in",
                  MedianMicroseconds([&] { OnThreads(pool, all, [](size_t) {}); }, 1001), "us", ""});
  rows.push_back(ProbeRow("empty run", "us", EmptyRunMicroseconds(backend)));
  return rows;
}

}  // namespace inkread::cpu

namespace inkread {

std::string CpuInt8Units() {
  constexpr std::string_view kKind = "int8 ";
  std::string names;
  for (const cpu::Instruction& instruction : cpu::Instructions()) {
    if (!instruction.name.starts_with(kKind) || !instruction.unavailable.empty()) continue;
    names += (names.empty() ? "" : ", ") + instruction.name.substr(kKind.size());
  }
  return names.empty() ? "none that is known" : names;
}

}  // namespace inkread

#endif  // HWY_ONCE
