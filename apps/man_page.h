// The manual page inkread(1), made from the options of the command itself.
#ifndef INKREAD_APPS_MAN_PAGE_H_
#define INKREAD_APPS_MAN_PAGE_H_

#include <CLI/CLI.hpp>
#include <string>

namespace inkread {

// Returns  the page for man(1), in roff
std::string ManPage(const CLI::App& app);

}  // namespace inkread

#endif  // INKREAD_APPS_MAN_PAGE_H_
