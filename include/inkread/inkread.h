/* The C interface of inkread: finds and reads the text in images. C11, and C++ from C++11 on.
 *
 *   inkread_engine* engine = NULL;
 *   inkread_reading* reading = NULL;
 *   char* message = NULL;
 *   const char* text = NULL;
 *   if (inkread_engine_create(NULL, &engine, &message) != INKREAD_OK ||
 *       inkread_read_file(engine, path, NULL, &reading, &message) != INKREAD_OK) {
 *     fprintf(stderr, "%s\n", message != NULL ? message : "out of memory");
 *   } else if (inkread_reading_text(reading, &text, NULL) == INKREAD_OK) {
 *     puts(text);
 *   }
 *   inkread_message_free(message);
 *   inkread_reading_free(reading);
 *   inkread_engine_free(engine);
 *
 * Link libinkread.so: pkg-config inkread-c, or CMake's inkread::c. docs/c.md has the rest.
 *
 * Status    Every function that can fail returns an inkread_status_code. Results come through pointers; handles are NULL
 *           after an error.
 * Messages  The last parameter `message` may be NULL. After an error, *message is a sentence that the caller frees with
 *           inkread_message_free, or NULL if memory ran out. After INKREAD_OK it is NULL. Nothing is kept per thread.
 * Strings   UTF-8 and ended by a NUL. Strings of a handle live as long as the handle. File names are bytes, as the
 *           system takes them.
 * Structs   Those with a struct_size grow at their end. The caller sets struct_size to sizeof the struct that it was
 *           compiled with; the functions that end in _init do so, too. A library that is older than the caller refuses
 *           fields that it does not know unless they are 0.
 * Handles   Each type has a function that frees it, which takes NULL, too. A handle that is freed is not used by any
 *           other thread.
 * Threads   An engine may be used by several threads at once. So may a reading and a list, which do not change.
 * Forks     A child process must neither use nor free an engine that was made before the fork: its threads are not
 *           there.
 */
#ifndef INKREAD_INKREAD_H_
#define INKREAD_INKREAD_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define INKREAD_C_API extern "C" __attribute__((visibility("default")))
#else
#define INKREAD_C_API extern __attribute__((visibility("default")))
#endif

typedef enum inkread_status_code {
  INKREAD_OK = 0,
  INKREAD_ERROR_INVALID_ARGUMENT = 1,
  INKREAD_ERROR_CORRUPT_MODEL = 2,
  INKREAD_ERROR_UNSUPPORTED = 3,
  INKREAD_ERROR_NOT_FOUND = 4,
  INKREAD_ERROR_CORRUPT_IMAGE = 5,
  INKREAD_ERROR_OUT_OF_MEMORY = 6,
  INKREAD_ERROR_DEVICE_LOST = 7,
  INKREAD_ERROR_CANCELLED = 8,
  INKREAD_ERROR_DEADLINE_EXCEEDED = 9,
  INKREAD_ERROR_INTERNAL = 10,
  INKREAD_ERROR_PERMISSION_DENIED = 11
} inkread_status_code;

/* Fields of structs that hold one of these are int32_t, so that their size does not depend on the compiler.
 * inkread/ocr.h explains the values. */
typedef enum inkread_size { INKREAD_SIZE_TINY = 0, INKREAD_SIZE_SMALL = 1, INKREAD_SIZE_MEDIUM = 2 } inkread_size;
typedef enum inkread_backend {
  INKREAD_BACKEND_AUTO = 0,
  INKREAD_BACKEND_CPU = 1,
  INKREAD_BACKEND_VULKAN = 2,
  INKREAD_BACKEND_METAL = 3
} inkread_backend;
typedef enum inkread_precision {
  INKREAD_PRECISION_AUTO = 0,
  INKREAD_PRECISION_PRECISE = 1,
  INKREAD_PRECISION_FAST = 2
} inkread_precision;
typedef enum inkread_profile {
  INKREAD_PROFILE_AUTO = 0,
  INKREAD_PROFILE_PIPELINE = 1,
  INKREAD_PROFILE_FAST960 = 2
} inkread_profile;
typedef enum inkread_order { INKREAD_ORDER_READER = 0, INKREAD_ORDER_OFFICIAL = 1 } inkread_order;
typedef enum inkread_alpha { INKREAD_ALPHA_CONTRAST = 0, INKREAD_ALPHA_DROP = 1 } inkread_alpha;
typedef enum inkread_format {
  INKREAD_FORMAT_BGR24 = 0,
  INKREAD_FORMAT_RGB24 = 1,
  INKREAD_FORMAT_BGRA32 = 2,
  INKREAD_FORMAT_RGBA32 = 3,
  INKREAD_FORMAT_GRAY8 = 4
} inkread_format;
typedef enum inkread_part { INKREAD_PART_WORDS = 0, INKREAD_PART_CHARS = 1 } inkread_part;

typedef struct inkread_engine inkread_engine;
typedef struct inkread_reading inkread_reading;
typedef struct inkread_cancel inkread_cancel;
typedef struct inkread_devices inkread_devices;

/* A corner, px; y grows downwards. */
typedef struct inkread_point {
  int32_t x, y;
} inkread_point;

/* Clockwise, from the top left corner of the text. */
typedef struct inkread_quad {
  inkread_point corners[4];
} inkread_quad;

/* Frees a message. */
INKREAD_C_API void inkread_message_free(char* message);

/* "NOT_FOUND" and so on; "UNKNOWN" for a value that is no inkread_status_code. */
INKREAD_C_API const char* inkread_status_name(int32_t status);

/* "0.1.0 (commit 1a2b3c4, cpu avx3_dl)"; "" if memory ran out. Lives as long as the process. */
INKREAD_C_API const char* inkread_version(void);

/* Engines. */

/* The fields are those of inkread::EngineOptions in inkread/ocr.h. Strings may be NULL, which is as "". */
typedef struct inkread_engine_options {
  size_t struct_size;
  int32_t size;               /* inkread_size; small by default */
  int32_t backend;            /* inkread_backend */
  const char* const* devices; /* GPUs by index or part of their names; one that is "all": every default device */
  size_t num_devices;         /* 0: the first default device */
  int32_t strict_backend;     /* not 0: a device's fault is an error instead of a fallback to the CPU */
  int32_t precision;          /* inkread_precision */
  int32_t num_threads;        /* 0: as many as affinity and cgroup quota allow */
  int32_t use_classifier;     /* not 0: load the classifier for lines that are upside down */
  const char* model_folder;   /* NULL: $INKREAD_MODELS, else the user's cache folder */
  const char* det_file;       /* networks of your own, each in place of the size's */
  const char* rec_file;
  const char* dictionary_file;
} inkread_engine_options;

/* Sets every field to its default.
 *
 * Errors  INVALID_ARGUMENT (NULL, or a struct_size that is too small for that field itself) */
INKREAD_C_API inkread_status_code inkread_engine_options_init(inkread_engine_options* options, size_t struct_size);

/* Loads and checks the model files, packs their weights, starts threads.
 *
 * options  NULL: the defaults; not kept after the call
 * Errors   INVALID_ARGUMENT, NOT_FOUND (a model file is missing: names it and the command that fetches it),
 *          CORRUPT_MODEL, UNSUPPORTED, DEVICE_LOST (with strict_backend), OUT_OF_MEMORY */
INKREAD_C_API inkread_status_code inkread_engine_create(const inkread_engine_options* options, inkread_engine** engine,
                                                        char** message);

/* No read may be running. */
INKREAD_C_API void inkread_engine_free(inkread_engine* engine);

/* What an engine runs on at present. */
typedef struct inkread_engine_info {
  size_t struct_size;
  int32_t size;      /* inkread_size */
  int32_t backend;   /* inkread_backend of the device that the next read goes to when none are in flight */
  int32_t precision; /* inkread_precision */
  int32_t num_threads;
  int32_t has_classifier; /* 0 or 1 */
} inkread_engine_info;

INKREAD_C_API inkread_status_code inkread_engine_get_info(const inkread_engine* engine, inkread_engine_info* info,
                                                          char** message);

/* Devices. */

typedef struct inkread_device {
  size_t struct_size;
  int32_t backend;                /* inkread_backend */
  int32_t index;                  /* for inkread_engine_options::devices; -1 where the backend has no device */
  const char* name;               /* "NVIDIA H200" */
  const char* details;            /* for people: driver, memory, features; "" for the devices of an engine */
  const char* problem;            /* why it cannot be used, or gets no reads any more; "" where it can */
  const char* not_default_reason; /* why it is not used unless it is named; "" where it is */
  uint64_t num_reads;             /* that ended on it; 0 for the devices of this machine */
} inkread_device;

/* The devices of the backends of this build, and for a backend without any the reason. */
INKREAD_C_API inkread_status_code inkread_list_devices(inkread_devices** devices, char** message);

/* The devices that an engine opened, in the order of its options, and last the CPU as their fallback. `index` is the
 * place in this list, which inkread_reading_info::device has, too. */
INKREAD_C_API inkread_status_code inkread_engine_devices(const inkread_engine* engine, inkread_devices** devices,
                                                         char** message);

INKREAD_C_API inkread_status_code inkread_devices_count(const inkread_devices* devices, size_t* count, char** message);
INKREAD_C_API inkread_status_code inkread_devices_get(const inkread_devices* devices, size_t index,
                                                      inkread_device* device, char** message);
INKREAD_C_API void inkread_devices_free(inkread_devices* devices);

/* Cancelling. */

INKREAD_C_API inkread_status_code inkread_cancel_create(inkread_cancel** cancel, char** message);

/* Every read that was or will be given `cancel` ends with CANCELLED, soon and on whatever thread. May be called by any
 * thread. */
INKREAD_C_API inkread_status_code inkread_cancel_set(inkread_cancel* cancel, char** message);

/* No read that was given it may be running. */
INKREAD_C_API void inkread_cancel_free(inkread_cancel* cancel);

/* Reading. */

/* Pixels in the caller's memory, 8 bits a channel. They are not copied, and not kept after the call. */
typedef struct inkread_image {
  size_t struct_size;
  const uint8_t* pixels; /* the first byte of the top row */
  int32_t width_px, height_px;
  ptrdiff_t stride_bytes; /* from one row to the next; negative: stored bottom row first */
  int32_t format;         /* inkread_format */
} inkread_image;

/* The fields are those of inkread::ReadOptions in inkread/ocr.h; those of the last group are for reads of bytes and
 * files. */
typedef struct inkread_read_options {
  size_t struct_size;
  int32_t detect, recognise; /* not 0, both, by default */
  const inkread_quad* boxes; /* if there are any, nothing is detected */
  size_t num_boxes;
  int32_t region_x, region_y, region_width, region_height; /* all 0: the whole image */
  const inkread_cancel* cancel;                            /* NULL: the read is never cancelled */
  double time_limit_ms;                                    /* 0: no limit */
  int32_t profile;                                         /* inkread_profile */
  int32_t official;                                        /* not 0: results and order of the official pipeline */
  int32_t order;                                           /* inkread_order */
  int32_t use_classifier;                                  /* not 0, by default: where the engine loaded one */
  float score_thresh;                                      /* lines with a lower score are left out and counted */
  int32_t words, chars;                                    /* not 0: lines have their words, their characters */
  int64_t max_pixels;                                      /* a larger image is refused */

  int32_t page;                /* of a TIFF, from 0 */
  int32_t apply_exif_rotation; /* not 0, by default */
  int32_t alpha;               /* inkread_alpha */
} inkread_read_options;

/* Sets every field to its default.
 *
 * Errors  INVALID_ARGUMENT (NULL, or a struct_size that is too small for that field itself) */
INKREAD_C_API inkread_status_code inkread_read_options_init(inkread_read_options* options, size_t struct_size);

/* Finds and reads the text of one image.
 *
 * options  NULL: the defaults
 * Errors   INVALID_ARGUMENT (NULL pixels, an empty image, a stride that is too small, more than max_pixels, an option
 *          out of range), OUT_OF_MEMORY, CANCELLED, DEADLINE_EXCEEDED, DEVICE_LOST and UNSUPPORTED (with
 *          strict_backend)
 * Threads  safe from several threads; the result does not depend on threads, load or batching */
INKREAD_C_API inkread_status_code inkread_read_pixels(const inkread_engine* engine, const inkread_image* image,
                                                      const inkread_read_options* options, inkread_reading** reading,
                                                      char** message);

/* The same for a JPEG, PNG, WebP, TIFF, BMP, GIF or JPEG 2000 file in memory.
 *
 * Errors  also CORRUPT_IMAGE (no image, or one of which nothing can be decoded), UNSUPPORTED (a format or kind that is
 *         not decoded), INVALID_ARGUMENT (no such page) */
INKREAD_C_API inkread_status_code inkread_read_bytes(const inkread_engine* engine, const void* bytes, size_t num_bytes,
                                                     const inkread_read_options* options, inkread_reading** reading,
                                                     char** message);

/* The same for a file. Messages begin with its name.
 *
 * Errors  also NOT_FOUND (it cannot be opened or read), PERMISSION_DENIED, INVALID_ARGUMENT (it is longer than an image
 *         of max_pixels can be: 4 bytes a pixel and 16 MiB) */
INKREAD_C_API inkread_status_code inkread_read_file(const inkread_engine* engine, const char* path,
                                                    const inkread_read_options* options, inkread_reading** reading,
                                                    char** message);

/* The number of pages: of a TIFF, else 1.
 *
 * Errors  as of inkread_read_bytes and inkread_read_file with the default options */
INKREAD_C_API inkread_status_code inkread_count_pages_of_bytes(const void* bytes, size_t num_bytes, int32_t* num_pages,
                                                               char** message);
INKREAD_C_API inkread_status_code inkread_count_pages_of_file(const char* path, int32_t* num_pages, char** message);

/* Readings. */

/* Wall-clock times are milliseconds. */
typedef struct inkread_reading_info {
  size_t struct_size;
  int32_t width_px, height_px; /* of the image as it was read */
  size_t num_lines;
  size_t num_warnings;
  float turned_deg; /* by how many degrees the content is turned clockwise, in (-45, 315] */
  int32_t backend;  /* inkread_backend that ran */
  int32_t device;   /* place in inkread_engine_devices */
  int32_t dropped;  /* lines left out because of score_thresh */
  double total_ms, detect_input_ms, detect_ms, boxes_ms, crop_ms, recognise_ms, decode_ms;
  int32_t page, num_pages; /* of the file, the page from 0; 0 and 1 for pixels */
  double load_ms;          /* to load and decode the file; 0 for pixels */
} inkread_reading_info;

typedef struct inkread_line {
  size_t struct_size;
  inkread_quad quad; /* px of the image as passed in or decoded */
  const char* text;  /* may be "" where a region was found but nothing was read */
  size_t text_bytes; /* without the NUL */
  float score;       /* confidence of the recogniser, [0, 1] */
  float det_score;   /* confidence of the detector, [0, 1] */
  int32_t rotated_180;
  size_t num_words, num_chars; /* 0 unless the options asked for them */
} inkread_line;

/* A word of a line, or one of its characters. */
typedef struct inkread_word {
  size_t struct_size;
  inkread_quad quad;
  const char* text;
  size_t text_bytes;
  float score;
} inkread_word;

/* Of all of these:
 *
 * Errors  INVALID_ARGUMENT (NULL, an index that is not below the count, a struct_size that is too small) */
INKREAD_C_API inkread_status_code inkread_reading_get_info(const inkread_reading* reading, inkread_reading_info* info,
                                                           char** message);
INKREAD_C_API inkread_status_code inkread_reading_get_line(const inkread_reading* reading, size_t index,
                                                           inkread_line* line, char** message);

/* part  inkread_part */
INKREAD_C_API inkread_status_code inkread_reading_get_word(const inkread_reading* reading, size_t line, int32_t part,
                                                           size_t index, inkread_word* word, char** message);

/* For people: "PNG: truncated at row 231 of 480; the rest is blank". */
INKREAD_C_API inkread_status_code inkread_reading_get_warning(const inkread_reading* reading, size_t index,
                                                              const char** warning, char** message);

/* The texts of all lines, each ended by a line feed but the last. */
INKREAD_C_API inkread_status_code inkread_reading_text(const inkread_reading* reading, const char** text,
                                                       char** message);

INKREAD_C_API void inkread_reading_free(inkread_reading* reading);

#endif /* INKREAD_INKREAD_H_ */
