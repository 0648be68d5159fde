#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <sstream>

#include "app.h"
#include "open_input.h"
#include "tidepool/io/png.h"
#include "tidepool/io/safetensors.h"
#include "timing.h"
#include "train/downsampling.h"
#include "train/fit_picture.h"

namespace tidepool::cli {

namespace {

struct PredictArgs {
  std::string picture, weights = "lenet/max.safetensors";
  bool json = false;
};

// A network that `tidepool train` saved, with the format of its input.
struct Trained {
  nn::LeNetOptions options;
  std::vector<std::string> classes;
  float mean = 0, deviation = 1;
  std::unique_ptr<nn::LeNet> net;
};

float number_of(const std::string& text, const std::string& name) {
  char* end = nullptr;
  const float value = std::strtof(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw Error(ErrorCode::parse, name + ": the metadata holds '" + text + "' where a number must be");
  return value;
}

Trained load(const std::string& path) {
  const io::Safetensors file = io::read_safetensors(path);
  const auto word = [&](const std::string& key) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end())
      throw Error(ErrorCode::parse, path + ": not weights of tidepool train: the metadata has no '" + key + "'");
    return found->second;
  };
  Trained trained;
  std::istringstream names(word("classes"));
  for (std::string line; std::getline(names, line);) trained.classes.push_back(line);
  trained.mean = number_of(word("mean"), path);
  trained.deviation = number_of(word("deviation"), path);
  trained.options.classes = static_cast<int64_t>(trained.classes.size());
  std::istringstream sides(word("shape"));
  char x = 0, y = 0;
  nn::LeNetOptions& s = trained.options;
  if (!(sides >> s.channels.value >> x >> s.height.value >> y >> s.width.value) || x != 'x' || y != 'x' || s.channels < 1 ||
      s.channels > 4 || s.height > 4096 || s.width > 4096)
    throw Error(ErrorCode::parse, path + ": the metadata holds no shape such as 1x28x28, got '" + word("shape") + "'");
  s.downsampling = downsampling_from_name(word("pool"));
  trained.net = std::make_unique<nn::LeNet>(s);
  trained.net->load_state_dict(file.tensors);
  trained.net->eval();
  return trained;
}

std::vector<double> probabilities(const Trained& trained, const Tensor& pixels) {
  const NoGrad no_grad;
  const Tensor bytes = fit_picture(pixels, trained.options.channels, trained.options.height, trained.options.width);
  Tensor x({1, trained.options.channels, trained.options.height, trained.options.width});
  for (int64_t i = 0; i < x.numel(); ++i)
    x.data<float>()[i] = (static_cast<float>(bytes.data<uint8_t>()[i]) / 255 - trained.mean) / trained.deviation;
  const Tensor p = softmax((*trained.net)(x), 1);
  return {p.data<float>(), p.data<float>() + p.numel()};
}

int predict(const PredictArgs& args, Console& console) {
  const Trained trained = load(args.weights);
  const std::vector<double> p = probabilities(trained, io::read_png(*open_input(parse_file_name(args.picture))).pixels);
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // NaN sorts last. Comparing it directly would not be a strict weak order, which std::sort requires.
  const auto rank = [&](size_t i) { return p[i] >= 0 ? p[i] : -1.0; };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rank(a) != rank(b) ? rank(a) > rank(b) : a < b; });
  if (args.json) {
    nlohmann::json all = nlohmann::json::object();
    for (size_t i = 0; i < p.size(); ++i) all[trained.classes[i]] = p[i];
    const nlohmann::json answer{
        {"picture", args.picture}, {"class", trained.classes[order[0]]}, {"probability", p[order[0]]}, {"probabilities", all}};
    console.out << answer.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return exit_ok;
  }
  console.out << args.picture << ": " << trained.classes[order[0]] << "\n";
  for (size_t i = 0; i < std::min<size_t>(order.size(), 3); ++i) {
    const std::string share = show_fixed(100 * p[order[i]], 1);
    std::string line = "  " + trained.classes[order[i]] + std::string(8 - std::min<size_t>(share.size(), 7), ' ') + share + " %";
    if (const auto length = static_cast<size_t>(std::lround(p[order[i]] * 40)); length > 0) line += "  " + std::string(length, '#');
    console.out << line << "\n";
  }
  return exit_ok;
}

}  // namespace

void add_predict(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<PredictArgs>();
  CLI::App* verb = app.add_subcommand("predict", "recognise the digit in a picture");
  verb->add_option("picture", args->picture, "a .png with one digit on a plain background, or - for standard input")
      ->required()
      ->type_name("FILE");
  verb->add_option("--weights", args->weights, "weights that `tidepool train` wrote [lenet/max.safetensors]")->type_name("FILE");
  verb->add_flag("--json", args->json, "answer in JSON");
  verb->footer("Example:\n  tidepool train --data mnist && tidepool predict digit.png");
  verb->callback([args, &chosen] { chosen = [args](Console& console) { return predict(*args, console); }; });
}

}  // namespace tidepool::cli
