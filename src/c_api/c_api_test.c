// The C interface from C11, as its users meet it: c_api_test SAMPLES_FOLDER
//
// What needs models reads with the tiny ones (`inkread models fetch tiny`) and is left out, saying so, without them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inkread/inkread.h"

static atomic_int num_failures;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++num_failures;                                                         \
    }                                                                         \
  } while (0)

static char receipt[4096];

// Whether *message has `part`; frees it.
static int Says(char** message, const char* part) {
  const int says = *message != NULL && strstr(*message, part) != NULL;
  if (!says) fprintf(stderr, "message: %s\nexpected in it: %s\n", *message != NULL ? *message : "(null)", part);
  inkread_message_free(*message);
  *message = NULL;
  return says;
}

static inkread_engine_options TinyOptions(void) {
  inkread_engine_options options;
  CHECK(inkread_engine_options_init(&options, sizeof options) == INKREAD_OK);
  options.size = INKREAD_SIZE_TINY;
  options.backend = INKREAD_BACKEND_CPU;
  options.num_threads = 2;
  return options;
}

// Only the row "Fountain pen": sanitizers take long for a whole page.
static inkread_read_options ReadOptions(void) {
  inkread_read_options options;
  CHECK(inkread_read_options_init(&options, sizeof options) == INKREAD_OK);
  options.region_x = 100;
  options.region_y = 325;
  options.region_width = 450;
  options.region_height = 60;
  return options;
}

static void NamesAndVersion(void) {
  CHECK(strncmp(inkread_version(), "0.", 2) == 0);
  CHECK(strcmp(inkread_status_name(INKREAD_OK), "OK") == 0);
  CHECK(strcmp(inkread_status_name(INKREAD_ERROR_NOT_FOUND), "NOT_FOUND") == 0);
  CHECK(strcmp(inkread_status_name(INKREAD_ERROR_INTERNAL), "INTERNAL") == 0);
  CHECK(strcmp(inkread_status_name(99), "UNKNOWN") == 0);
}

static void NullsAreErrors(void) {
  char* message = NULL;
  inkread_reading* reading = (inkread_reading*)&message;  // not NULL: an error must clear it
  CHECK(inkread_engine_create(NULL, NULL, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(Says(&message, "'engine' is NULL"));
  CHECK(inkread_read_file(NULL, "x.png", NULL, &reading, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(reading == NULL);
  CHECK(Says(&message, "'engine' is NULL"));
  CHECK(inkread_read_file(NULL, "x.png", NULL, NULL, NULL) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(inkread_engine_options_init(NULL, sizeof(inkread_engine_options)) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(inkread_read_options_init(NULL, sizeof(inkread_read_options)) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(inkread_reading_get_info(NULL, NULL, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(Says(&message, "'reading' is NULL"));
  CHECK(inkread_devices_count(NULL, NULL, NULL) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(inkread_cancel_set(NULL, NULL) == INKREAD_ERROR_INVALID_ARGUMENT);
  inkread_engine_free(NULL);
  inkread_reading_free(NULL);
  inkread_devices_free(NULL);
  inkread_cancel_free(NULL);
  inkread_message_free(NULL);
}

// A caller that was compiled with a header of another version.
struct NewerOptions {
  inkread_engine_options options;
  int64_t later_field;
};

static void StructsMayHaveAnotherSize(void) {
  char* message = NULL;
  inkread_engine* engine = NULL;
  struct NewerOptions newer;
  memset(&newer, 0xAA, sizeof newer);
  CHECK(inkread_engine_options_init(&newer.options, sizeof newer) == INKREAD_OK);
  CHECK(newer.options.struct_size == sizeof newer);
  CHECK(newer.options.size == INKREAD_SIZE_SMALL);
  CHECK(newer.later_field == 0);
  newer.options.model_folder = "/nowhere";
  CHECK(inkread_engine_create(&newer.options, &engine, &message) == INKREAD_ERROR_NOT_FOUND);
  CHECK(Says(&message, "/nowhere"));
  newer.later_field = 1;
  CHECK(inkread_engine_create(&newer.options, &engine, &message) == INKREAD_ERROR_UNSUPPORTED);
  CHECK(Says(&message, "newer libinkread"));

  // An older caller knows the first fields only: the rest keeps its defaults, and nothing behind it is touched.
  inkread_read_options older;
  memset(&older, 0xAA, sizeof older);
  CHECK(inkread_read_options_init(&older, offsetof(inkread_read_options, boxes)) == INKREAD_OK);
  CHECK(older.detect == 1 && older.recognise == 1);
  CHECK(older.words != 0 && older.page != 0);  // still 0xAAAAAAAA

  inkread_engine_options none = {.struct_size = 0};
  CHECK(inkread_engine_create(&none, &engine, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(Says(&message, "struct_size of 0"));
}

static void FilesAreJudgedBeforeTheyAreRead(void) {
  char* message = NULL;
  int32_t num_pages = 0;
  CHECK(inkread_count_pages_of_file(receipt, &num_pages, &message) == INKREAD_OK);
  CHECK(message == NULL && num_pages == 1);
  CHECK(inkread_count_pages_of_file("/no such file", &num_pages, &message) == INKREAD_ERROR_NOT_FOUND);
  CHECK(Says(&message, "/no such file: No such file"));
  CHECK(inkread_count_pages_of_file("/", &num_pages, &message) == INKREAD_ERROR_NOT_FOUND);
  CHECK(Says(&message, "directory"));
  // Endless, but what is no image is not read on.
  CHECK(inkread_count_pages_of_file("/dev/zero", &num_pages, &message) == INKREAD_ERROR_CORRUPT_IMAGE);
  CHECK(Says(&message, "/dev/zero: "));
  CHECK(inkread_count_pages_of_bytes("no image", 8, &num_pages, &message) == INKREAD_ERROR_CORRUPT_IMAGE);
  inkread_message_free(message);
}

static void DevicesAreListed(void) {
  inkread_devices* devices = NULL;
  size_t count = 0;
  CHECK(inkread_list_devices(&devices, NULL) == INKREAD_OK);
  CHECK(inkread_devices_count(devices, &count, NULL) == INKREAD_OK);
  CHECK(count >= 1);
  int num_cpus = 0;
  for (size_t i = 0; i < count; ++i) {
    inkread_device device = {.struct_size = sizeof device};
    CHECK(inkread_devices_get(devices, i, &device, NULL) == INKREAD_OK);
    CHECK(device.name != NULL && device.problem != NULL && device.not_default_reason != NULL);
    CHECK((device.index < 0) == (device.name[0] == '\0'));
    num_cpus += device.backend == INKREAD_BACKEND_CPU;
  }
  CHECK(num_cpus == 1);
  inkread_device device = {.struct_size = sizeof device};
  CHECK(inkread_devices_get(devices, count, &device, NULL) == INKREAD_ERROR_INVALID_ARGUMENT);
  inkread_devices_free(devices);
}

// The text of the row, to be freed; NULL after an error.
static char* TextOf(const inkread_engine* engine) {
  const inkread_read_options options = ReadOptions();
  char* message = NULL;
  inkread_reading* reading = NULL;
  const char* text = NULL;
  char* copy = NULL;
  if (inkread_read_file(engine, receipt, &options, &reading, &message) == INKREAD_OK && message == NULL &&
      inkread_reading_text(reading, &text, NULL) == INKREAD_OK) {
    copy = malloc(strlen(text) + 1);
    strcpy(copy, text);
  }
  inkread_message_free(message);
  inkread_reading_free(reading);
  return copy;
}

static void LinesHaveTheirParts(const inkread_engine* engine) {
  char* message = NULL;
  inkread_reading* reading = NULL;
  inkread_read_options options = ReadOptions();
  options.words = options.chars = 1;
  CHECK(inkread_read_file(engine, receipt, &options, &reading, &message) == INKREAD_OK);
  inkread_reading_info info = {.struct_size = sizeof info};
  CHECK(inkread_reading_get_info(reading, &info, NULL) == INKREAD_OK);
  CHECK(info.num_lines == 3 && info.width_px == 640 && info.height_px == 800 && info.total_ms > 0);
  CHECK(info.backend == INKREAD_BACKEND_CPU && info.num_warnings == 0);
  CHECK(info.page == 0 && info.num_pages == 1 && info.load_ms > 0);

  const char* text = NULL;
  CHECK(inkread_reading_text(reading, &text, NULL) == INKREAD_OK);
  int found = 0;
  for (size_t i = 0; i < info.num_lines; ++i) {
    inkread_line line = {.struct_size = sizeof line};
    CHECK(inkread_reading_get_line(reading, i, &line, NULL) == INKREAD_OK);
    CHECK(strlen(line.text) == line.text_bytes && line.score > 0 && line.score <= 1);
    CHECK(strncmp(text, line.text, line.text_bytes) == 0);
    CHECK(text[line.text_bytes] == (i + 1 < info.num_lines ? '\n' : '\0'));
    text += line.text_bytes + 1;
    CHECK(line.quad.corners[0].x < line.quad.corners[1].x && line.quad.corners[0].y < line.quad.corners[3].y);
    size_t chars_bytes = 0;
    for (size_t k = 0; k < line.num_chars; ++k) {
      inkread_word character = {.struct_size = sizeof character};
      CHECK(inkread_reading_get_word(reading, i, INKREAD_PART_CHARS, k, &character, NULL) == INKREAD_OK);
      chars_bytes += character.text_bytes;
    }
    size_t spaces = 0;
    for (const char* c = line.text; *c != '\0'; ++c) spaces += *c == ' ';
    CHECK(chars_bytes + spaces == line.text_bytes);
    if (strcmp(line.text, "Fountain pen") != 0) continue;
    found = 1;
    inkread_word word = {.struct_size = sizeof word};
    CHECK(line.num_words == 2);
    CHECK(inkread_reading_get_word(reading, i, INKREAD_PART_WORDS, 1, &word, NULL) == INKREAD_OK);
    CHECK(strcmp(word.text, "pen") == 0 && word.quad.corners[0].x > line.quad.corners[0].x);
    CHECK(inkread_reading_get_word(reading, i, INKREAD_PART_WORDS, 2, &word, &message) ==
          INKREAD_ERROR_INVALID_ARGUMENT);
    CHECK(Says(&message, "word 2 of 2"));
    CHECK(inkread_reading_get_word(reading, i, 7, 0, &word, NULL) == INKREAD_ERROR_INVALID_ARGUMENT);
  }
  CHECK(found);
  inkread_line line = {.struct_size = sizeof line};
  CHECK(inkread_reading_get_line(reading, info.num_lines, &line, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(Says(&message, "the first has index 0"));
  const char* warning = NULL;
  CHECK(inkread_reading_get_warning(reading, 0, &warning, NULL) == INKREAD_ERROR_INVALID_ARGUMENT);
  inkread_reading_free(reading);
}

static void BytesAreReadAsFilesAre(const inkread_engine* engine, const char* expected) {
  FILE* file = fopen(receipt, "rb");
  CHECK(file != NULL);
  static unsigned char bytes[1 << 20];
  const size_t num_bytes = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  char* message = NULL;
  inkread_reading* reading = NULL;
  const char* text = NULL;
  inkread_read_options options = ReadOptions();
  CHECK(inkread_read_bytes(engine, bytes, num_bytes, &options, &reading, NULL) == INKREAD_OK);
  CHECK(inkread_reading_text(reading, &text, NULL) == INKREAD_OK);
  CHECK(strcmp(text, expected) == 0);
  inkread_reading_free(reading);

  // Half of a file gives the half that is there, and says so.
  inkread_reading_info info = {.struct_size = sizeof info};
  CHECK(inkread_read_bytes(engine, bytes, num_bytes / 2, &options, &reading, NULL) == INKREAD_OK);
  CHECK(inkread_reading_get_info(reading, &info, NULL) == INKREAD_OK && info.num_warnings == 1);
  const char* warning = NULL;
  CHECK(inkread_reading_get_warning(reading, 0, &warning, NULL) == INKREAD_OK && strstr(warning, "PNG") != NULL);
  inkread_reading_free(reading);

  options.page = 1;
  CHECK(inkread_read_bytes(engine, bytes, num_bytes, &options, &reading, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(Says(&message, "page"));
  options = ReadOptions();
  options.max_pixels = 100;
  CHECK(inkread_read_file(engine, receipt, &options, &reading, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(Says(&message, receipt));
}

static void PixelsAndOptions(const inkread_engine* engine) {
  static uint8_t white[40 * 64];
  memset(white, 255, sizeof white);
  char* message = NULL;
  inkread_reading* reading = NULL;
  inkread_image image = {sizeof image, white, 64, 40, 64, INKREAD_FORMAT_GRAY8};
  inkread_reading_info info = {.struct_size = sizeof info};
  const char* text = NULL;
  CHECK(inkread_read_pixels(engine, &image, NULL, &reading, &message) == INKREAD_OK);
  CHECK(inkread_reading_get_info(reading, &info, NULL) == INKREAD_OK && info.num_lines == 0 && info.width_px == 64);
  CHECK(info.page == 0 && info.num_pages == 1 && info.load_ms == 0);
  CHECK(inkread_reading_text(reading, &text, NULL) == INKREAD_OK && text[0] == '\0');
  inkread_reading_free(reading);
  image.stride_bytes = 63;
  CHECK(inkread_read_pixels(engine, &image, NULL, &reading, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(reading == NULL && Says(&message, "stride"));
  image.stride_bytes = 64;
  image.format = 17;
  CHECK(inkread_read_pixels(engine, &image, NULL, &reading, NULL) == INKREAD_ERROR_INVALID_ARGUMENT);

  inkread_read_options options = ReadOptions();
  options.recognise = 0;
  CHECK(inkread_read_file(engine, receipt, &options, &reading, NULL) == INKREAD_OK);
  CHECK(inkread_reading_get_info(reading, &info, NULL) == INKREAD_OK && info.num_lines == 3);
  inkread_line line = {.struct_size = sizeof line};
  CHECK(inkread_reading_get_line(reading, 0, &line, NULL) == INKREAD_OK && line.text_bytes == 0);
  inkread_reading_free(reading);

  // The first line alone: as a box, then as a region.
  options = ReadOptions();
  options.boxes = &line.quad;
  options.num_boxes = 1;
  CHECK(inkread_read_file(engine, receipt, &options, &reading, NULL) == INKREAD_OK);
  CHECK(inkread_reading_text(reading, &text, NULL) == INKREAD_OK && strcmp(text, "Fountain pen") == 0);
  inkread_reading_free(reading);
  options = ReadOptions();
  options.detect = 0;
  options.region_x = line.quad.corners[0].x;
  options.region_y = line.quad.corners[0].y;
  options.region_width = line.quad.corners[2].x - options.region_x;
  options.region_height = line.quad.corners[2].y - options.region_y;
  CHECK(inkread_read_file(engine, receipt, &options, &reading, NULL) == INKREAD_OK);
  CHECK(inkread_reading_text(reading, &text, NULL) == INKREAD_OK && strcmp(text, "Fountain pen") == 0);
  inkread_reading_free(reading);

  options = ReadOptions();
  options.num_boxes = 3;
  CHECK(inkread_read_file(engine, receipt, &options, &reading, &message) == INKREAD_ERROR_INVALID_ARGUMENT);
  CHECK(Says(&message, "'boxes' is NULL, but num_boxes is 3"));
  options = ReadOptions();
  options.time_limit_ms = 1e-6;
  CHECK(inkread_read_file(engine, receipt, &options, &reading, NULL) == INKREAD_ERROR_DEADLINE_EXCEEDED);
  inkread_cancel* cancel = NULL;
  CHECK(inkread_cancel_create(&cancel, NULL) == INKREAD_OK);
  options = ReadOptions();
  options.cancel = cancel;
  CHECK(inkread_read_file(engine, receipt, &options, &reading, NULL) == INKREAD_OK);
  inkread_reading_free(reading);
  CHECK(inkread_cancel_set(cancel, NULL) == INKREAD_OK);
  CHECK(inkread_read_file(engine, receipt, &options, &reading, NULL) == INKREAD_ERROR_CANCELLED);
  inkread_cancel_free(cancel);
}

struct Work {
  const inkread_engine* engine;
  const char* expected;
};

// Reads well and badly by turns: each call has a message of its own.
static void* ReadAFewTimes(void* argument) {
  const struct Work* work = argument;
  for (int i = 0; i < 3; ++i) {
    char* text = TextOf(work->engine);
    CHECK(text != NULL && strcmp(text, work->expected) == 0);
    free(text);
    char* message = NULL;
    char name[64];
    snprintf(name, sizeof name, "/none of %p", (void*)&message);
    inkread_reading* reading = NULL;
    CHECK(inkread_read_file(work->engine, name, NULL, &reading, &message) == INKREAD_ERROR_NOT_FOUND);
    CHECK(Says(&message, name));
  }
  return NULL;
}

static void AnEngineTellsAboutItself(const inkread_engine* engine) {
  inkread_engine_info info = {.struct_size = sizeof info};
  CHECK(inkread_engine_get_info(engine, &info, NULL) == INKREAD_OK);
  CHECK(info.size == INKREAD_SIZE_TINY && info.backend == INKREAD_BACKEND_CPU && info.num_threads == 2);
  CHECK(info.precision == INKREAD_PRECISION_PRECISE && info.has_classifier == 0);
  inkread_devices* devices = NULL;
  size_t count = 0;
  inkread_device device = {.struct_size = sizeof device};
  CHECK(inkread_engine_devices(engine, &devices, NULL) == INKREAD_OK);
  CHECK(inkread_devices_count(devices, &count, NULL) == INKREAD_OK && count == 1);
  CHECK(inkread_devices_get(devices, 0, &device, NULL) == INKREAD_OK);
  CHECK(device.backend == INKREAD_BACKEND_CPU && device.num_reads > 0 && device.problem[0] == '\0');
  inkread_devices_free(devices);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  snprintf(receipt, sizeof receipt, "%s/receipt.png", argv[1]);
  NamesAndVersion();
  NullsAreErrors();
  StructsMayHaveAnotherSize();
  FilesAreJudgedBeforeTheyAreRead();
  DevicesAreListed();

  char* message = NULL;
  inkread_engine* engine = NULL;
  const inkread_engine_options options = TinyOptions();
  const inkread_status_code status = inkread_engine_create(&options, &engine, &message);
  if (status == INKREAD_ERROR_NOT_FOUND) {
    printf("left out what reads: %s\n", message);
    inkread_message_free(message);
    return num_failures != 0;
  }
  CHECK(status == INKREAD_OK);
  char* expected = TextOf(engine);
  CHECK(expected != NULL && strstr(expected, "Fountain pen") != NULL);
  if (expected != NULL) {
    LinesHaveTheirParts(engine);
    BytesAreReadAsFilesAre(engine, expected);
    PixelsAndOptions(engine);
    AnEngineTellsAboutItself(engine);
    struct Work work = {engine, expected};
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) CHECK(pthread_create(&threads[i], NULL, ReadAFewTimes, &work) == 0);
    for (int i = 0; i < 2; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  }
  free(expected);
  inkread_engine_free(engine);
  return num_failures != 0;
}
