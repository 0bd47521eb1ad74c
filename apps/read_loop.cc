#include "apps/read_loop.h"

#include <future>

#include "apps/overlay.h"
#include "apps/overlay_files.h"

namespace inkread {
namespace {

using Batch = std::vector<Picture>;

Batch LoadBatch(PictureSource* source, const ReadLoopOptions& options) {
  Batch batch;
  int64_t pixels = 0;
  while (static_cast<int>(batch.size()) < options.batch_pictures && pixels < options.batch_pixels) {
    std::optional<Picture> picture = source->Next();
    if (!picture.has_value()) break;
    if (picture->image.ok()) pixels += int64_t{picture->image->width_px} * picture->image->height_px;
    batch.push_back(std::move(*picture));
  }
  return batch;
}

// An entry for each picture; those that were decoded are read together.
std::vector<Entry> ReadBatch(const Batch& batch, const ReadPictures& read) {
  std::vector<ImageView> views;
  for (const Picture& picture : batch) {
    if (picture.image.ok()) views.push_back(picture.image->view());
  }
  std::vector<Result<Reading>> readings;
  if (!views.empty()) readings = read(views);
  std::vector<Entry> entries;
  size_t next_reading = 0;
  for (const Picture& picture : batch) {
    Entry entry;
    entry.file = picture.file;
    entry.page = picture.page;
    entry.pages = picture.pages;
    entry.load_ms = picture.load_ms;
    if (!picture.image.ok()) {
      entry.error = picture.image.status();
    } else if (Result<Reading>& reading = readings[next_reading++]; !reading.ok()) {
      entry.error = reading.status();
    } else {
      entry.reading = std::move(*reading);
      entry.warnings = picture.image->warnings;
      entry.warnings.insert(entry.warnings.end(), entry.reading.warnings.begin(), entry.reading.warnings.end());
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

Status WriteOverlay(const Picture& picture, const Entry& entry, OverlayFiles* files) {
  const Result<std::vector<uint8_t>> png = DrawOverlay(*picture.image, entry.reading.lines);
  if (!png.ok()) return png.status();
  return files->Write(picture.file, picture.page, picture.pages, *png);
}

void Say(const Entry& entry, const std::string& what, std::ostream* errors) {
  *errors << "inkread: " << entry.file;
  if (entry.pages > 1) *errors << " (page " << entry.page << ')';
  *errors << ": " << what << '\n';
}

}  // namespace

ReadLoopResult RunReadLoop(PictureSource* source, size_t num_inputs, const ReadPictures& read,
                           const ReadLoopOptions& options, Output* output, ProgressBar* bar, std::ostream* errors) {
  ReadLoopResult result;
  OverlayFiles overlays(options.overlay_path, options.overlay_is_folder, options.in_use);
  const auto load = [&] { return LoadBatch(source, options); };
  Batch batch = load();
  while (!batch.empty()) {
    std::future<Batch> next = std::async(std::launch::async, load);
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
    // A file with pages to come is not done yet.
    const Picture& last = batch.back();
    const size_t num_done = last.input + (last.page == last.pages ? 1 : 0);
    bar->Update("reading", static_cast<int64_t>(num_done), static_cast<int64_t>(num_inputs));
    batch = next.get();
  }
  bar->End();
  output->End();
  return result;
}

}  // namespace inkread
