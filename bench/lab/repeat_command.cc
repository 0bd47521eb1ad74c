// inkread-lab repeat: runs one network on one input several times. Every run must give the same bits.
#include <algorithm>
#include <cstdio>

#include "bench/lab/commands.h"
#include "bench/lab/network.h"

namespace inkread::lab {
namespace {

struct RepeatArguments {
  NetworkArguments network;
  int num_runs = 20;
};

Result<int> RunRepeat(const RepeatArguments& arguments) {
  INKREAD_ASSIGN_OR_RETURN(const OpenedNetwork opened, OpenNetwork(arguments.network));
  INKREAD_ASSIGN_OR_RETURN(const RunBuffers buffers, RunBuffers::For(*opened.schedule));
  const Job job = buffers.JobOf(*opened.program);
  uint32_t* const output = buffers.output();
  const size_t num_words = buffers.num_output_words();
  std::vector<uint32_t> first;
  for (int run = 0; run < arguments.num_runs; ++run) {
    // So that a word which no step writes differs between runs.
    std::fill_n(output, num_words, 0xbad00000u + static_cast<uint32_t>(run));
    INKREAD_RETURN_IF_ERROR(opened.device.backend->Run({&job, 1}));
    if (run == 0) first.assign(output, output + num_words);
    const auto [word, expected] = std::mismatch(output, output + num_words, first.begin());
    if (word != output + num_words) {
      std::printf("%s on %s: run %d of %d differs from the first at word %td: %08x, not %08x\n",
                  NetworkText(arguments.network, *opened.schedule).c_str(), DeviceText(opened.device).c_str(), run + 1,
                  arguments.num_runs, word - output, *word, *expected);
      return kExitDiffers;
    }
  }
  std::printf("%s on %s: %d runs, all bits equal\n", NetworkText(arguments.network, *opened.schedule).c_str(),
              DeviceText(opened.device).c_str(), arguments.num_runs);
  return 0;
}

}  // namespace

void AddRepeatCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<RepeatArguments>();
  CLI::App* command =
      app.add_subcommand("repeat", "Run a network several times; all outputs must be equal, bit by bit");
  AddNetworkArguments(command, &arguments->network);
  command->add_option("--runs", arguments->num_runs, "How often (default 20)")
      ->check(CLI::Range(2, 1000000))
      ->type_name("N");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunRepeat(*arguments)); });
}

}  // namespace inkread::lab
