#include "train/train_run.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ostream>

#include "progress.h"
#include "tidepool/executor.h"
#include "timing.h"
#include "train/drawings.h"
#include "train/progress_bar.h"

namespace tidepool::cli {

namespace {

TrainSettings settings_of(const TrainArgs& args) {
  std::vector<nn::Downsampling> pools = {nn::Downsampling::max_pool, nn::Downsampling::avg_pool, nn::Downsampling::strided_conv};
  if (args.pool != "all") pools = {downsampling_from_name(args.pool)};
  return {.pools = pools, .epochs = args.epochs, .batch_size = args.batch, .learning_rate = args.rate, .seed = args.seed};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The mean loss of the last steps, because the loss of a single batch is noisy.
double recent_loss(const Variant& variant, int64_t steps) {
  const auto count = std::min(static_cast<int64_t>(variant.losses.size()), std::max<int64_t>(steps, 1));
  return count == 0 ? 0 : std::accumulate(variant.losses.end() - count, variant.losses.end(), 0.0) / static_cast<double>(count);
}

std::string padded(std::string text, size_t width) { return text.append(width - std::min(width, text.size()), ' '); }

void make_directory(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (!failure && !std::filesystem::is_directory(path)) failure = std::make_error_code(std::errc::not_a_directory);
  if (failure) throw IoError("cannot make the directory " + path + ": " + failure.message());
}

Sets read_sets(const TrainArgs& args) {
  const Progress progress(args.data == "glyphs" ? "drawing the pictures" : "reading the pictures");
  return load_sets(args.data, args.glyphs, args.seed);
}

}  // namespace

TrainRun::TrainRun(const TrainArgs& args, Console& console)
    : args_(args), console_(console), sets_(read_sets(args)), training_(settings_of(args), sets_) {}

std::string TrainRun::file(const std::string& name) const { return (std::filesystem::path(args_.out) / name).string(); }

void TrainRun::say(const std::string& text) {
  if (!args_.json) console_.out << text << std::flush;
}

template <class Cell>
void TrainRun::say_row(const std::string& what, const Cell& cell) {
  std::string line = padded(what, 13);
  for (size_t i = 0; i < training_.variants().size(); ++i) line += padded(cell(training_.variants()[i], i), 18);
  line.erase(line.find_last_not_of(' ') + 1);
  say(line + "\n");
}

void TrainRun::begin() {
  const std::string checkpoint = file("checkpoint.safetensors");
  if (args_.resume) training_.restore(io::read_safetensors(checkpoint), checkpoint);
  make_directory(args_.out);
  if (!sets_.note.empty()) say("note: " + sets_.note + "\n");
  say("data: " + sets_.train.name + ", " + std::to_string(sets_.test.size()) + " more for the test\n");
  if (args_.resume)
    say("resuming " + checkpoint + " after batch " + std::to_string(training_.batch()) + " of " + std::to_string(training_.batches()) +
        " in epoch " + std::to_string(training_.epoch() + 1) + "\n");
  say("\n");
  say_row("LeNet with", [](const Variant& variant, size_t) { return std::string(downsampling_name(variant.downsampling)); });
  say_row("parameters", [](const Variant& variant, size_t) { return std::to_string(variant.net->num_parameters()); });
}

void TrainRun::save() {
  io::AtomicFile out(file("checkpoint.safetensors"));
  io::write_safetensors(out, training_.checkpoint());
  out.commit();
}

void TrainRun::one_epoch() {
  const auto start = Clock::now();
  const int64_t first = training_.batch();
  const std::string what = "epoch " + std::to_string(training_.epoch() + 1) + "/" + std::to_string(args_.epochs);
  {
    const bool has_bar = console_.live && !args_.json;
    ProgressBar bar(console_.out, has_bar);
    std::atomic<double> share{0};
    std::optional<Progress> lines;
    if (!has_bar) lines.emplace(what, [&] { return share.load(); });
    while (!training_.at_epoch_end()) {
      training_.step();
      if (training_.steps() % args_.save_every == 0 && !training_.at_epoch_end()) save();
      share = static_cast<double>(training_.batch() - first) / static_cast<double>(training_.batches() - first);
      const double left = seconds_since(start) / static_cast<double>(training_.batch() - first) *
                          static_cast<double>(training_.batches() - training_.batch());
      bar.show(what, training_.batch(), training_.batches(),
               "loss " + show_fixed(recent_loss(training_.variants()[0], 50), 4) + "  " + show_fixed(left, 0) + " s left");
    }
  }
  save();
  report_epoch(seconds_since(start));
}

void TrainRun::report_epoch(double seconds) {
  confusions_.clear();
  {
    const Progress progress("testing");
    for (const Variant& variant : training_.variants()) confusions_.push_back(confusion(*variant.net, sets_));
  }
  say_row("epoch " + std::to_string(training_.epoch() + 1) + "/" + std::to_string(args_.epochs), [&](const Variant& variant, size_t i) {
    std::string text =
        show_fixed(recent_loss(variant, training_.batches()), 4) + "  " + show_fixed(100 * accuracy(confusions_[i]), 2) + " %";
    // Only the last column is followed by the time.
    return i + 1 < training_.variants().size() ? text : padded(text, 18) + show_fixed(seconds, 1) + " s";
  });
}

void TrainRun::finish() {
  nlohmann::json results = nlohmann::json::array();
  std::vector<std::string> files = {"loss.svg"};
  write_text(file("loss.svg"), loss_curve(training_));
  for (size_t i = 0; i < confusions_.size(); ++i) {
    const Variant& variant = training_.variants()[i];
    const std::string name(downsampling_name(variant.downsampling));
    save_lenet(file(name + ".safetensors"), variant, sets_);
    write_text(file("confusion-" + name + ".svg"), confusion_drawing(variant, confusions_[i], sets_.test));
    files.push_back(name + ".safetensors");
    files.push_back("confusion-" + name + ".svg");
    results.push_back({{"pool", name},
                       {"parameters", variant.net->num_parameters()},
                       {"loss", recent_loss(variant, training_.batches())},
                       {"accuracy", accuracy(confusions_[i])}});
  }
  const double seconds = seconds_since(start_);
  if (args_.json) {
    const nlohmann::json report{
        {"data", sets_.train.name}, {"note", sets_.note}, {"test", sets_.test.size()}, {"epochs", args_.epochs}, {"seed", args_.seed},
        {"threads", num_threads()}, {"seconds", seconds}, {"results", results},        {"folder", args_.out},    {"files", files}};
    console_.out << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return;
  }
  say("\n" + show_fixed(seconds, 1) + " s on " + std::to_string(num_threads()) + (num_threads() == 1 ? " thread" : " threads") + "; in " +
      args_.out + ":");
  for (const std::string& name : files) say(" " + name);
  say("\n");
}

int TrainRun::run() {
  begin();
  // A checkpoint can be at the end of an epoch whose report was not printed before the run was stopped.
  if (training_.at_epoch_end()) report_epoch(0);
  while (!training_.done()) {
    if (training_.at_epoch_end()) training_.begin_next_epoch();
    one_epoch();
  }
  finish();
  return exit_ok;
}

}  // namespace tidepool::cli
