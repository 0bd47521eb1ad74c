// What a reading holds.
#include "c_api/conventions.h"
#include "c_api/handles.h"

namespace inkread::c_api {
namespace {

Status CheckReading(const inkread_reading* reading) {
  return reading == nullptr ? InvalidArgument("'reading' is NULL; expected one from a read that was OK") : Status();
}

Status CheckIndex(const char* what, size_t index, size_t count) {
  if (index < count) return Status();
  return InvalidArgument(what, " ", index, " of ", count, "; the first has index 0");
}

}  // namespace
}  // namespace inkread::c_api

using namespace inkread;         // NOLINT: what follows is in no namespace, since its names are C's
using namespace inkread::c_api;  // NOLINT

inkread_status_code inkread_reading_get_info(const inkread_reading* reading, inkread_reading_info* info,
                                             char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(CheckReading(reading));
    const Reading& from = reading->reading;
    inkread_reading_info out = {};
    out.width_px = from.width_px;
    out.height_px = from.height_px;
    out.num_lines = from.lines.size();
    out.num_warnings = from.warnings.size();
    out.turned_deg = from.turned_deg;
    out.backend = static_cast<int32_t>(from.backend);
    out.device = from.device;
    out.dropped = from.dropped;
    out.total_ms = from.ms.total;
    out.detect_input_ms = from.ms.detect_input;
    out.detect_ms = from.ms.detect;
    out.boxes_ms = from.ms.boxes;
    out.crop_ms = from.ms.crop;
    out.recognise_ms = from.ms.recognise;
    out.decode_ms = from.ms.decode;
    out.page = reading->page;
    out.num_pages = reading->num_pages;
    out.load_ms = reading->load_ms;
    return Fill(info, out, "info");
  });
}

inkread_status_code inkread_reading_get_line(const inkread_reading* reading, size_t index, inkread_line* line,
                                             char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(CheckReading(reading));
    INKREAD_RETURN_IF_ERROR(CheckIndex("line", index, reading->reading.lines.size()));
    const Line& from = reading->reading.lines[index];
    inkread_line out = {};
    out.quad = ToC(from.quad);
    out.text = from.text.c_str();
    out.text_bytes = from.text.size();
    out.score = from.score;
    out.det_score = from.det_score;
    out.rotated_180 = from.rotated_180 ? 1 : 0;
    out.num_words = from.words.size();
    out.num_chars = from.chars.size();
    return Fill(line, out, "line");
  });
}

inkread_status_code inkread_reading_get_word(const inkread_reading* reading, size_t line, int32_t part, size_t index,
                                             inkread_word* word, char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(CheckReading(reading));
    INKREAD_RETURN_IF_ERROR(CheckIndex("line", line, reading->reading.lines.size()));
    if (part != INKREAD_PART_WORDS && part != INKREAD_PART_CHARS) {
      return InvalidArgument("'part' is ", part, "; expected INKREAD_PART_WORDS or INKREAD_PART_CHARS");
    }
    const Line& of = reading->reading.lines[line];
    const std::vector<Word>& words = part == INKREAD_PART_WORDS ? of.words : of.chars;
    INKREAD_RETURN_IF_ERROR(CheckIndex(part == INKREAD_PART_WORDS ? "word" : "character", index, words.size()));
    const Word& from = words[index];
    inkread_word out = {};
    out.quad = ToC(from.quad);
    out.text = from.text.c_str();
    out.text_bytes = from.text.size();
    out.score = from.score;
    return Fill(word, out, "word");
  });
}

inkread_status_code inkread_reading_get_warning(const inkread_reading* reading, size_t index, const char** warning,
                                                char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(Clear(warning, "warning"));
    INKREAD_RETURN_IF_ERROR(CheckReading(reading));
    INKREAD_RETURN_IF_ERROR(CheckIndex("warning", index, reading->reading.warnings.size()));
    *warning = reading->reading.warnings[index].c_str();
    return Status();
  });
}

inkread_status_code inkread_reading_text(const inkread_reading* reading, const char** text, char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(Clear(text, "text"));
    INKREAD_RETURN_IF_ERROR(CheckReading(reading));
    *text = reading->text.c_str();
    return Status();
  });
}

void inkread_reading_free(inkread_reading* reading) { delete reading; }
