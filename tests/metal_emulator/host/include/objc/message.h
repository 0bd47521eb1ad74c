// Sending messages. A caller casts these to the type of the method it calls, as on Apple's platforms.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_OBJC_MESSAGE_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_OBJC_MESSAGE_H_

extern "C" {
void objc_msgSend();
void objc_msgSend_fpret();  // x86-64: methods that return a floating point number
void objc_msgSend_stret();  // x86-64: methods that return a struct of more than 16 bytes, its address coming first
}

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_OBJC_MESSAGE_H_
