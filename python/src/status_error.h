// Errors of inkread as Python's exceptions.
#ifndef INKREAD_PYTHON_STATUS_ERROR_H_
#define INKREAD_PYTHON_STATUS_ERROR_H_

#include <nanobind/nanobind.h>

#include <exception>
#include <string>
#include <utility>

namespace inkread::python {

// What the bindings throw. Its code is an inkread_status_code; inkread._errors.make turns both into an exception.
struct StatusError : std::exception {
  StatusError(int code_arg, std::string message_arg) : code(code_arg), message(std::move(message_arg)) {}
  const char* what() const noexcept override { return message.c_str(); }

  const int code;
  const std::string message;
};

inline void RegisterStatusError() {
  nanobind::register_exception_translator(
      [](const std::exception_ptr& pointer, void*) {
        try {
          std::rethrow_exception(pointer);
        } catch (const StatusError& error) {
          const nanobind::object exception =
              nanobind::module_::import_("inkread._errors")
                  .attr("make")(error.code, nanobind::bytes(error.message.data(), error.message.size()));
          PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
        }
      },
      nullptr);
}

}  // namespace inkread::python

#endif  // INKREAD_PYTHON_STATUS_ERROR_H_
