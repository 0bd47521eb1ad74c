/* Takes the place of libjbig in the wheel, which libtiff links: libjbig is under the GPL, and JBIG within TIFF is rare.
 * A page that is coded so is an error of the image. The functions are those that libtiff calls, and their structs are
 * not looked at. */
#include <stddef.h>

void jbg_dec_init(void* state) { (void)state; }
int jbg_dec_in(void* state, unsigned char* data, size_t length, size_t* num_taken) {
  (void)state, (void)data, (void)length, (void)num_taken;
  return 0x30; /* not implemented, among the codes of libjbig */
}
unsigned char* jbg_dec_getimage(const void* state, int plane) {
  (void)state, (void)plane;
  return NULL;
}
size_t jbg_dec_getsize(const void* state) {
  (void)state;
  return 0;
}
void jbg_dec_free(void* state) { (void)state; }
int jbg_newlen(unsigned char* data, size_t length) {
  (void)data, (void)length;
  return 0;
}
const char* jbg_strerror(int code) {
  (void)code;
  return "JBIG is left out of this build";
}
/* Of writing, which inkread never does. */
void jbg_enc_init(void* state, unsigned long width, unsigned long height, int num_planes, unsigned char** planes,
                  void (*out)(unsigned char*, size_t, void*), void* file) {
  (void)state, (void)width, (void)height, (void)num_planes, (void)planes, (void)out, (void)file;
}
void jbg_enc_out(void* state) { (void)state; }
void jbg_enc_free(void* state) { (void)state; }
