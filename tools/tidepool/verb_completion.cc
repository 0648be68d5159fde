#include <memory>
#include <ostream>

#include "app.h"
#include "complete.h"

namespace tidepool::cli {

void add_completion(CLI::App& app, Action& chosen) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completion", "print a script that completes commands in a shell");
  verb->add_option("shell", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}))->type_name("SHELL");
  verb->footer(
      "Installed programs have it already. Otherwise:\n"
      "  source <(tidepool completion bash)                      # in ~/.bashrc\n"
      "  tidepool completion zsh >\"${fpath[1]}/_tidepool\"        # once, then start a new zsh");
  verb->callback([shell, &chosen] {
    chosen = [shell](Console& console) {
      console.out << completion_script(*shell);
      return exit_ok;
    };
  });
}

}  // namespace tidepool::cli
