// Every step kind of every backend against the reference, and the promises about bits that backends make.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "backends/reference/reference_backend.h"
#include "schedule/step_facts.h"
#include "tests/conformance/backends.h"
#include "tests/conformance/problem.h"
#include "tests/tolerance.h"

namespace inkread::conformance {
namespace {

bool SameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// The results of the reference, computed once for each packing.
const std::vector<float>& Expected(size_t index, const Problem& problem, const Packing& packing) {
  static std::map<std::pair<size_t, Packing>, std::vector<float>> known;
  auto [it, is_new] = known.try_emplace({index, packing});
  if (is_new) it->second = RunProblem(*MakeReferenceBackend(packing.panel), problem);
  return it->second;
}

bool HasKernel(const Backend& backend, const Case& c) { return backend.Caps().has_step[c.params.index()]; }

// The cases of the kinds that the backend has kernels for.
std::vector<Case> CasesOf(const Backend& backend) {
  std::vector<Case> cases = AllCases();
  std::erase_if(cases, [&backend](const Case& c) { return !HasKernel(backend, c); });
  return cases;
}

class NoComplaints : public ::testing::Environment {
  void TearDown() override {
    for (const std::string& line : BackendComplaints()) ADD_FAILURE() << line;
  }
};
const ::testing::Environment* const kNoComplaints = ::testing::AddGlobalTestEnvironment(new NoComplaints);

TEST(ConformanceTest, EveryStepKindHasCases) {
  std::map<StepKind, int> seen;
  for (const Case& c : AllCases()) ++seen[static_cast<StepKind>(c.params.index())];
  for (int i = 0; i < kNumStepKinds; ++i) {
    const StepKind kind = static_cast<StepKind>(i);
    if (ReadsPixels(kind)) continue;  // image_test.cc
    EXPECT_GT(seen[kind], 0) << "no cases for " << StepKindName(kind) << ": add some to a table of case.h";
  }
}

TEST(ConformanceTest, BackendsAgreeWithTheReference) {
  const std::vector<Case> cases = AllCases();
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool pool(2);
    auto backend = row.make(&pool);
    const Packing packing = PackingOf(*backend);
    for (int kind = 0; kind < kNumStepKinds; ++kind) {
      if (!backend->Caps().has_step[kind])
        std::printf("%s: not tested, no kernel for %s\n", row.name.c_str(), StepKindName(static_cast<StepKind>(kind)));
    }
    std::map<StepKind, double> worst;
    for (size_t i = 0; i < cases.size(); ++i) {
      const StepKind kind = static_cast<StepKind>(cases[i].params.index());
      if (!HasKernel(*backend, cases[i])) continue;
      const Problem problem = MakeProblem(cases[i], packing);
      EXPECT_EQ(Compare(problem, Expected(i, problem, packing), RunProblem(*backend, problem), &worst[kind]), "")
          << row.name << ": " << cases[i].Name();
    }
    std::printf("%s, panel %u; worst error as a share of the tolerance:", row.name.c_str(), packing.panel);
    for (const auto& [kind, share] : worst) std::printf(" %s %.3f", StepKindName(kind), share);
    std::printf("\n");
  }
}

// Storing 16 bits changes results by no more than their rounding. Devices that store them are compared with this.
TEST(ConformanceTest, TheReferenceIsCloseInSixteenBits) {
  auto reference = MakeReferenceBackend(16);
  for (const Case& c : AllCases()) {
    const Problem exact = MakeProblem(c, {16});
    if (exact.has_labels) continue;  // ties go either way
    const std::vector<float> expected = RunProblem(*reference, exact);
    for (const Packing& packing :
         {Packing{16, INKREAD_WEIGHTS_F32, INKREAD_ELEMENT_F16}, Packing{16, INKREAD_WEIGHTS_F16, INKREAD_ELEMENT_F16},
          Packing{16, INKREAD_WEIGHTS_F32, INKREAD_ELEMENT_BF16}}) {
      const Problem stored = MakeProblem(c, packing);
      ASSERT_EQ(stored.is_result, exact.is_result);
      const std::vector<float> actual = RunProblem(*reference, stored);
      for (size_t i = 0; i < expected.size(); ++i) {
        if (!exact.is_result[i]) {
          ASSERT_EQ(actual[i], kUntouched) << c.Name();
          continue;
        }
        // Each term is a product of two rounded values of at most 2.
        const double limit = StorageTolerance(packing.storage, 8) * static_cast<double>(exact.terms) +
                             StorageTolerance(packing.storage, expected[i]);
        ASSERT_NEAR(actual[i], expected[i], limit) << c.Name() << " storage " << packing.storage;
      }
    }
  }
}

TEST(ConformanceTest, ThreadsDoNotChangeABit) {
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool one(1), four(4);
    auto alone = row.make(&one), shared = row.make(&four);
    for (const Case& c : CasesOf(*alone)) {
      const Problem problem = MakeProblem(c, PackingOf(*alone));
      EXPECT_TRUE(SameBits(RunProblem(*alone, problem), RunProblem(*shared, problem))) << row.name << ": " << c.Name();
    }
  }
}

TEST(ConformanceTest, TheBatchDoesNotChangeABit) {
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool pool(2);
    auto backend = row.make(&pool);
    const Packing packing = PackingOf(*backend);
    for (const Case& c : CasesOf(*backend)) {
      const Problem all = MakeProblem(c, packing);
      if (all.batch == 1) continue;
      const std::vector<float> together = RunProblem(*backend, all);
      for (int64_t i : {int64_t{0}, static_cast<int64_t>(all.batch - 1)}) {
        const Problem single = MakeProblem(c, packing, {.only = i});
        EXPECT_TRUE(SameBits(Results(all, together, i), Results(single, RunProblem(*backend, single), -1)))
            << row.name << ": image " << i << " of " << c.Name();
      }
    }
  }
}

TEST(ConformanceTest, WhereOperandsLieDoesNotChangeABit) {
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool pool(2);
    auto backend = row.make(&pool);
    const Packing packing = PackingOf(*backend);
    for (const Case& c : CasesOf(*backend)) {
      const Problem aligned = MakeProblem(c, packing), shifted = MakeProblem(c, packing, {.shift = 3});
      EXPECT_TRUE(SameBits(Results(aligned, RunProblem(*backend, aligned), -1),
                           Results(shifted, RunProblem(*backend, shifted), -1)))
          << row.name << ": " << c.Name();
    }
  }
}

// A pixel's result does not depend on its position in a tile or a vector: an image whose columns are all the same must
// have results whose columns are all the same, away from its borders.
TEST(ConformanceTest, WhereAPixelStandsDoesNotChangeABit) {
  constexpr uint kWidth = 61, kChannels = 21, kBorder = 4;
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool pool(2);
    auto backend = row.make(&pool);
    Case conv, depthwise;
    conv.params = ConvParams{1, 5, kWidth, kChannels, 5, kWidth, 37, 3, 3, 1, 1, 1, 1, kChannels, 37, 0, 0};
    depthwise.params = DepthwiseConvParams{1, 5, kWidth, kChannels, 5, kWidth, 5, 5, 1, 1, 2, 2, kChannels, kChannels};
    for (Case* c : {&conv, &depthwise}) {
      if (!HasKernel(*backend, *c)) continue;
      c->epilogue.activation = INKREAD_ACTIVATION_GELU;
      c->tweak = [](std::vector<std::vector<float>>& reads, std::vector<std::vector<float>>&) {
        for (size_t i = 0; i < reads[0].size(); ++i) {
          const size_t y = i / (kWidth * kChannels), channel = i % kChannels;
          reads[0][i] = reads[0][y * kWidth * kChannels + channel];
        }
      };
      const Problem problem = MakeProblem(*c, PackingOf(*backend));
      const std::vector<float> y = Results(problem, RunProblem(*backend, problem), -1);
      const size_t channels = y.size() / (5 * kWidth);
      for (size_t line = 0; line < 5; ++line) {
        const float* first = &y[(line * kWidth + kBorder) * channels];
        for (size_t x = kBorder; x + kBorder < kWidth; ++x) {
          EXPECT_EQ(std::memcmp(first, &y[(line * kWidth + x) * channels], channels * sizeof(float)), 0)
              << row.name << ": " << c->Name() << " line " << line << " pixel " << x;
        }
      }
    }
  }
}

TEST(ConformanceTest, JobsRunTogetherAsTheyRunAlone) {
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool pool(4);
    auto backend = row.make(&pool);
    const Packing packing = PackingOf(*backend);
    const std::vector<Case> cases = ConvCases();
    if (!HasKernel(*backend, cases[0])) continue;
    std::vector<Problem> problems;
    std::vector<std::shared_ptr<const DeviceWeights>> weights;
    std::vector<std::unique_ptr<const Program>> programs;
    std::vector<std::vector<float>> inputs, outputs;
    for (const Case& c : cases) {
      problems.push_back(MakeProblem(c, packing));
      const Problem& p = problems.back();
      weights.push_back(*backend->Upload(std::as_bytes(std::span(*p.weights)), p.weights));
      programs.push_back(*backend->Compile(p.schedule, weights.back()));
      inputs.push_back(p.input);
      inputs.back().resize(p.input.size() + 16);
      outputs.push_back(p.output);
    }
    std::vector<Job> jobs;
    for (size_t i = 0; i < problems.size(); ++i)
      jobs.push_back({programs[i].get(), inputs[i].data(), outputs[i].data()});
    ASSERT_TRUE(backend->Run(jobs).ok());
    for (size_t i = 0; i < problems.size(); ++i) {
      EXPECT_TRUE(SameBits(outputs[i], RunProblem(*backend, problems[i]))) << row.name << ": " << cases[i].Name();
    }
  }
}

// Planted fault: a kernel that leaves out a part of the epilogue must not pass. That depends on the cases alone, so the
// reference plays the broken kernel.
TEST(ConformanceTest, AnEpiloguePartLeftOutIsFound) {
  constexpr uint32_t kPanel = 16;
  auto reference = MakeReferenceBackend(kPanel);
  std::map<StepKind, int> found;
  for (const Case& c : AllCases()) {
    const Problem problem = MakeProblem(c, {kPanel});
    const std::vector<float> expected = RunProblem(*reference, problem);
    for (int part = 0; part < 4; ++part) {
      Problem broken = problem;
      broken.schedule = std::make_shared<Schedule>(*problem.schedule);
      Step& step = broken.schedule->steps.back();
      uint* const fields[] = {&step.epilogue.has_bias, &step.epilogue.activation, &step.epilogue.has_gate,
                              &step.epilogue.has_residual};
      if (*fields[part] == 0) continue;
      *fields[part] = 0;
      if (part == 0) step.weights[kBiasSlot] = {};
      if (part == 2) step.reads[kGateSlot] = {};
      if (part == 3) step.reads[kResidualSlot] = {};
      double worst = 0;
      const bool is_seen = !Compare(problem, expected, RunProblem(*reference, broken), &worst).empty();
      EXPECT_TRUE(is_seen) << "part " << part << " of " << c.Name();
      found[step.kind()] |= 1 << part;
    }
  }
  for (int i = 0; i < kNumStepKinds; ++i) {
    const StepKind kind = static_cast<StepKind>(i);
    EXPECT_EQ(found[kind], HasEpilogue(kind) ? 15 : 0) << StepKindName(kind);
  }
}

TEST(ConformanceTest, TheComparerFindsWhatIsPlanted) {
  const Case conv = ConvCases()[7];
  const Problem problem = MakeProblem(conv, {16});
  const std::vector<float> good = RunProblem(*MakeReferenceBackend(16), problem);
  double worst = 0;
  EXPECT_EQ(Compare(problem, good, good, &worst), "");
  EXPECT_EQ(worst, 0);
  for (size_t i : {size_t{0}, good.size() / 2, good.size() - 1}) {
    std::vector<float> bad = good;
    bad[i] += problem.is_result[i] ? 1e-3f : 1.0f;
    EXPECT_NE(Compare(problem, good, bad, &worst), "") << i;
    bad[i] = std::nanf("");
    EXPECT_NE(Compare(problem, good, bad, &worst), "") << i;
  }
  Case labels;
  labels.params = CtcHeadParams{5, 4, 9, 4, 0, 0};
  const Problem ctc = MakeProblem(labels, {16});
  std::vector<float> output = RunProblem(*MakeReferenceBackend(16), ctc), bad = output;
  int32_t label;
  std::memcpy(&label, &bad[3], 4);
  label ^= 1;
  std::memcpy(&bad[3], &label, 4);
  EXPECT_NE(Compare(ctc, output, bad, &worst).find("label"), std::string::npos);
}

// The error bound of activations, over all values where they are neither 0 nor the identity.
TEST(ActivationTest, StaysWithinItsBound) {
  constexpr uint kCount = 400001;
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool pool(2);
    auto backend = row.make(&pool);
    std::printf("%s, largest absolute error:", row.name.c_str());
    for (uint a : {INKREAD_ACTIVATION_GELU, INKREAD_ACTIVATION_SIGMOID, INKREAD_ACTIVATION_SWISH}) {
      Case c;
      c.params = ElementwiseParams{1, 1, 1, kCount, kCount, kCount};
      c.epilogue.activation = a;
      if (!HasKernel(*backend, c)) continue;
      c.tweak = [](std::vector<std::vector<float>>& reads, std::vector<std::vector<float>>&) {
        for (uint i = 0; i < kCount; ++i) reads[0][i] = (static_cast<float>(i) - kCount / 2) * 5e-5f;  // -10 to 10
        reads[0][0] = -1000;
        reads[0][1] = -90;
        reads[0][kCount - 1] = 1000;
      };
      const Problem problem = MakeProblem(c, PackingOf(*backend));
      const std::vector<float> expected = RunProblem(*MakeReferenceBackend(16), problem),
                               actual = RunProblem(*backend, problem);
      double worst = 0;
      for (uint i = 0; i < kCount; ++i) {
        const double value = expected[i], error = std::abs(value - actual[i]), size = std::max(1.0, std::abs(value));
        ASSERT_TRUE(error <= kActivationTolerance * size + StorageTolerance(problem.storage, value))
            << row.name << " activation " << a << " at " << problem.input[i];
        worst = std::max(worst, error / size);
      }
      std::printf(" %u: %.2g", a, worst);
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace inkread::conformance
