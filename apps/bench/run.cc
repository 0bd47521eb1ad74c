#include "apps/bench/run.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "apps/clock.h"

namespace inkread {
namespace {

// Reads one image once; `ms` receives the time.
Result<Reading> ReadOnce(const BenchImage& image, const ReadImage& read, double* ms) try {
  Result<DecodedImage> decoded = DecodedImage();
  if (image.decode) {
    decoded = image.decode();
    if (!decoded.ok()) return decoded.status();
  }
  const auto start = Clock::now();
  Result<Reading> reading = read(image.decode ? decoded->view() : image.image.view());
  *ms = MillisecondsSince(start);
  return reading;
} catch (const std::bad_alloc&) {
  return Status(StatusCode::kOutOfMemory, "out of memory");
}

struct Round {
  std::vector<Result<Reading>> readings;
  std::vector<double> ms;
  double wall_ms = 0;
};

// Errors  kOutOfMemory, also where the system refuses a thread
Result<Round> RunRound(const std::vector<BenchImage>& images, const ReadImage& read, int num_workers,
                       const std::function<void(size_t)>& progress) {
  Round round;
  round.readings.assign(images.size(), Status(StatusCode::kInternal, "not read"));
  round.ms.resize(images.size());
  std::atomic<size_t> next = 0;
  std::atomic<size_t> num_done = 0;
  const auto work = [&](bool reports) {
    for (size_t i; (i = next++) < images.size();) {
      round.readings[i] = ReadOnce(images[i], read, &round.ms[i]);
      ++num_done;
      if (reports) progress(num_done);
    }
  };
  const auto start = Clock::now();
  std::vector<std::thread> others;
  others.reserve(static_cast<size_t>(num_workers) - 1);
  Status status;
  try {
    while (others.size() + 1 < static_cast<size_t>(num_workers)) others.emplace_back(work, false);
  } catch (const std::system_error& error) {
    status = Status(StatusCode::kOutOfMemory, std::string("cannot start a thread: ") + error.what());
    next = images.size();  // fewer workers would give other figures, so those that run stop
  } catch (const std::bad_alloc&) {
    status = Status(StatusCode::kOutOfMemory, "out of memory");
    next = images.size();
  }
  work(true);
  for (std::thread& other : others) other.join();
  if (!status.ok()) return status;
  round.wall_ms = MillisecondsSince(start);
  progress(num_done);
  return round;
}

bool SameLines(const Reading& a, const Reading& b) {
  return std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(), [](const Line& x, const Line& y) {
    return x.text == y.text && x.quad == y.quad && x.score == y.score && x.words == y.words;
  });
}

constexpr double StageTimes::*kStages[] = {&StageTimes::total, &StageTimes::detect_input, &StageTimes::detect,
                                           &StageTimes::boxes, &StageTimes::crop,         &StageTimes::recognise,
                                           &StageTimes::decode};

}  // namespace

Result<BenchTimes> RunBench(const std::vector<BenchImage>& images, const ReadImage& read,
                            const BenchRunOptions& options, const std::function<void(int64_t, int64_t)>& progress) {
  BenchTimes times;
  times.images.resize(images.size());
  std::vector<std::vector<StageTimes>> stages(images.size());
  const int num_all = options.num_warmups + options.num_rounds;
  ProcessUse before;
  for (int r = 0; r < num_all; ++r) {
    if (r == options.num_warmups) before = UseOfProcess();
    Result<Round> result = RunRound(images, read, options.num_workers, [&](size_t done) {
      progress(static_cast<int64_t>(images.size()) * r + static_cast<int64_t>(done),
               static_cast<int64_t>(images.size()) * num_all);
    });
    if (!result.ok()) return result.status();
    const Round round = std::move(result).value();
    for (size_t i = 0; i < images.size(); ++i) {
      TimedImage& timed = times.images[i];
      const Result<Reading>& reading = round.readings[i];
      if (!reading.ok()) return Status(reading.status().code(), images[i].file + ": " + reading.status().message());
      if (r == 0) {
        timed.reading = *reading;
      } else if (!SameLines(timed.reading, *reading)) {
        return Status(StatusCode::kInternal,
                      images[i].file + ": round " + std::to_string(r + 1) + " gave other lines than the first one");
      }
      if (r < options.num_warmups) continue;
      timed.rounds_ms.push_back(round.ms[i]);
      stages[i].push_back(reading->ms);
    }
    if (r >= options.num_warmups) times.rounds_ms.push_back(round.wall_ms);
  }
  const ProcessUse after = UseOfProcess();
  times.used = {after.cpu_s - before.cpu_s, after.num_switches - before.num_switches,
                after.num_page_faults - before.num_page_faults};
  for (size_t i = 0; i < images.size(); ++i) {
    for (const auto stage : kStages) {
      std::vector<double> values;
      for (const StageTimes& ms : stages[i]) values.push_back(ms.*stage);
      times.images[i].reading.ms.*stage = Median(std::move(values));
    }
  }
  return times;
}

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double Percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace inkread
