#include "apps/read_loop.h"

#include <future>

#include "apps/overlay_files.h"

namespace inkread {
namespace {

using Batch = std::vector<LoadedImage>;

Batch LoadBatch(ImageSource* source, const ReadLoopOptions& options) {
  Batch batch;
  int64_t pixels = 0;
  while (static_cast<int>(batch.size()) < options.batch_images && pixels < options.batch_pixels) {
    std::optional<LoadedImage> loaded = source->Next();
    if (!loaded.has_value()) break;
    if (loaded->decoded) pixels += int64_t{loaded->decoded->width_px} * loaded->decoded->height_px;
    batch.push_back(std::move(*loaded));
  }
  return batch;
}

// Returns an entry for each image. Those that could be decoded are read together.
std::vector<Entry> ReadBatch(const Batch& batch, const ReadImages& read) {
  std::vector<ImageView> views;
  for (const LoadedImage& loaded : batch) {
    if (loaded.decoded) views.push_back(loaded.decoded->view());
  }
  std::vector<Result<Reading>> readings;
  if (!views.empty()) readings = read(views);
  std::vector<Entry> entries;
  size_t next_reading = 0;
  for (const LoadedImage& loaded : batch) {
    Entry entry;
    entry.file = loaded.file;
    entry.page = loaded.page;
    entry.pages = loaded.pages;
    entry.load_ms = loaded.load_ms;
    if (!loaded.decoded) {
      entry.error = loaded.decoded.status();
    } else if (Result<Reading>& reading = readings[next_reading++]; !reading.ok()) {
      entry.error = reading.status();
    } else {
      entry.reading = std::move(*reading);
      entry.image = &*loaded.decoded;
      entry.jpeg = loaded.jpeg;
      entry.warnings = loaded.decoded->warnings;
      entry.warnings.insert(entry.warnings.end(), entry.reading.warnings.begin(), entry.reading.warnings.end());
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

Status WriteOverlay(const LoadedImage& loaded, const Entry& entry, OverlayFiles* files) {
  const Result<std::vector<uint8_t>> png = DrawOverlay(*loaded.decoded, entry.reading.lines);
  if (!png) return png.status();
  return files->Write(loaded.file, loaded.page, loaded.pages, *png);
}

void Say(const Entry& entry, const std::string& what, std::ostream* errors) {
  *errors << "inkread: " << entry.file;
  if (entry.pages > 1) *errors << " (page " << entry.page << ')';
  *errors << ": " << what << '\n';
}

}  // namespace

ReadLoopResult RunReadLoop(ImageSource* source, size_t num_inputs, const ReadImages& read,
                           const ReadLoopOptions& options, Output* output, ProgressBar* bar, std::ostream* errors) {
  ReadLoopResult result;
  OverlayFiles overlays(options.overlay_path, options.overlay_is_folder, options.in_use);
  const auto load = [&] { return LoadBatch(source, options); };
  const auto is_lost = [&] { return options.written_to != nullptr && options.written_to->fail(); };
  Batch batch = load();
  while (!batch.empty() && !is_lost()) {
    // On another thread; where the system refuses one, here in next.get().
    std::future<Batch> next = std::async(std::launch::async | std::launch::deferred, load);
    const std::vector<Entry> entries = ReadBatch(batch, read);
    bar->Hide();
    for (size_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[i];
      output->Write(entry);
      if (!entry.error.ok()) {
        ++result.num_failed;
        result.device_lost |= entry.error.code() == StatusCode::kDeviceLost;
        Say(entry, entry.error.message(), errors);
        continue;
      }
      ++result.num_read;
      if (!output->carries_warnings()) {
        for (const std::string& warning : entry.warnings) {
          if (warning != options.run_warning) Say(entry, "warning: " + warning, errors);
        }
      }
      if (options.overlay_path.empty()) continue;
      if (const Status status = WriteOverlay(batch[i], entry, &overlays); !status.ok()) {
        ++result.num_failed;
        Say(entry, status.message(), errors);
      }
    }
    // A file counts as done with its last page.
    const LoadedImage& last = batch.back();
    const size_t num_done = last.input + (last.page == last.pages ? 1 : 0);
    bar->Update("reading", static_cast<int64_t>(num_done), static_cast<int64_t>(num_inputs));
    batch = next.get();
  }
  bar->End();
  output->End();
  return result;
}

}  // namespace inkread
