#include <memory>
#include <sstream>

#include "reference/compare.h"
#include "tour.h"

namespace tidepool::cli {

namespace {

int tour(bool as_json, Console& console) {
  std::ostringstream discarded;
  Tour tour(as_json ? discarded : console.out, console.colour, console.live && !as_json);
  tour.examples();
  tour.networks();
  tour.timing();
  if (as_json) {
    nlohmann::json facts = tour.facts();
    facts["right"] = tour.right();
    console.out << facts.dump(2) << "\n";
  } else {
    console.out << (tour.right()
                        ? "Every value above was compared with one worked out by hand, the stem with the\nplain loops: all equal.\n"
                        : "Some of it is WRONG, see above.\n");
  }
  return tour.right() ? exit_ok : exit_mismatch;
}

}  // namespace

void Tour::expect(const std::string& name, const TensorArg& got_arg, std::initializer_list<double> values) {
  const TensorView& got = got_arg.view();
  nlohmann::json cells = nlohmann::json::array();
  bool same = got.numel() == static_cast<int64_t>(values.size());
  const double* value = values.begin();
  for (int64_t i = 0; same && i < got.numel(); ++i) {
    const int64_t row = i / got.size(2), column = i % got.size(2);
    cells.push_back(reference::cell_value(got, {0, row, column}));
    same = cells.back() == value[i];
  }
  facts_["examples"].push_back({{"name", name}, {"shape", to_string(got.shape)}, {"values", cells}, {"right", same}});
  if (!same) wrong(name);
}

void Tour::expect_shape(const std::string& text, const Dims& got, const Dims& shape) {
  facts_["shapes"].push_back({{"options", text}, {"shape", to_string(got)}, {"right", got == shape}});
  if (!(got == shape)) wrong(text + ": expected " + to_string(shape) + ", got " + to_string(got));
}

void Tour::wrong(const std::string& what) {
  right_ = false;
  out_ << "  WRONG: " << what << "\n\n";
}

void add_tour(CLI::App& app, Action& chosen) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* verb = app.add_subcommand("tour", "a guided tour: windows, gradients, shapes, networks and speed");
  verb->add_flag("--json", *as_json, "answer in JSON");
  verb->footer("Takes a few seconds. Exit code 1 if any value differs from the expected one.");
  verb->callback([as_json, &chosen] { chosen = [as_json](Console& console) { return tour(*as_json, console); }; });
}

}  // namespace tidepool::cli
