// Replaces the files in train/ in builds without tidepool::nn. The verbs exist and report what is missing.
#include "app.h"
#include "tidepool/error.h"
#include "tour.h"

namespace tidepool::cli {

namespace {

void add_missing(CLI::App& app, Action& chosen, const std::string& name) {
  CLI::App* verb = app.add_subcommand(name, "not in this build: it needs oneDNN");
  verb->allow_extras();
  verb->callback([name, &chosen] {
    chosen = [name](Console&) -> int {
      throw Error(ErrorCode::unsupported, name + ": this build has no tidepool::nn, because oneDNN was not found (Debian: libdnnl-dev)");
    };
  });
}

}  // namespace

void Tour::networks() { out_ << "6. Networks: not in this build, they need oneDNN\n\n"; }

void add_train(CLI::App& app, Action& chosen) { add_missing(app, chosen, "train"); }
void add_predict(CLI::App& app, Action& chosen) { add_missing(app, chosen, "predict"); }

}  // namespace tidepool::cli
