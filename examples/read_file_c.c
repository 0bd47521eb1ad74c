/* Prints the text of an image file, line by line in reading order: read_file_c IMAGE */
#include <inkread/inkread.h>
#include <stdio.h>

static int Fail(char* message) {
  fprintf(stderr, "read_file_c: %s\n", message != NULL ? message : "out of memory");
  inkread_message_free(message);
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: read_file_c IMAGE\n");
    return 2;
  }
  char* message = NULL;
  inkread_engine* engine = NULL; /* once for many images; it may be used by several threads */
  if (inkread_engine_create(NULL, &engine, &message) != INKREAD_OK) return Fail(message);

  inkread_read_options options;
  inkread_read_options_init(&options, sizeof options);
  options.order = INKREAD_ORDER_READER; /* the default; options not set keep theirs */
  inkread_reading* reading = NULL;
  const inkread_status_code status = inkread_read_file(engine, argv[1], &options, &reading, &message);
  inkread_engine_free(engine);
  if (status != INKREAD_OK) return Fail(message);

  inkread_reading_info info = {.struct_size = sizeof info};
  inkread_reading_get_info(reading, &info, NULL);
  for (size_t i = 0; i < info.num_warnings; ++i) {
    const char* warning = NULL;
    inkread_reading_get_warning(reading, i, &warning, NULL);
    fprintf(stderr, "read_file_c: %s\n", warning);
  }
  for (size_t i = 0; i < info.num_lines; ++i) {
    inkread_line line = {.struct_size = sizeof line};
    inkread_reading_get_line(reading, i, &line, NULL);
    printf("%s\n", line.text);
  }
  inkread_reading_free(reading);
  return 0;
}
