// The options of the engine, for commands whose requests bring the options of a read.
#ifndef INKREAD_APPS_SERVING_ARGUMENTS_H_
#define INKREAD_APPS_SERVING_ARGUMENTS_H_

#include "apps/engine_arguments.h"

namespace inkread {

// AddEngineArguments without --profile, --official, --order and --words.
inline void AddServingArguments(CLI::App* command, EngineArguments* arguments) {
  AddEngineArguments(command, arguments);
  for (const char* of_a_read : {"--profile", "--official", "--order", "--words"})
    command->remove_option(command->get_option(of_a_read));
}

}  // namespace inkread

#endif  // INKREAD_APPS_SERVING_ARGUMENTS_H_
