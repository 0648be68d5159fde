#include "train/drawings.h"

#include "tidepool/io/atomic_file.h"
#include "tidepool/plot/svg.h"
#include "timing.h"

namespace tidepool::cli {

void write_text(const std::string& path, const std::string& text) {
  io::AtomicFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

std::string loss_curve(const Training& training) {
  std::vector<plot::Series> series;
  const auto per_epoch = static_cast<double>(training.batches());
  for (const Variant& variant : training.variants()) {
    plot::Series line{std::string(downsampling_name(variant.downsampling)), {}, {variant.losses.begin(), variant.losses.end()}};
    for (size_t i = 0; i < variant.losses.size(); ++i) line.x.push_back(static_cast<double>(i + 1) / per_epoch);
    series.push_back(std::move(line));
  }
  return plot::line_chart({.title = "Training LeNet", .x = "epoch", .y = "cross-entropy", .log_y = true}, series);
}

std::string confusion_drawing(const Variant& variant, const Tensor& counts, const data::ImageSet& test) {
  return plot::confusion_matrix(
      "LeNet, " + std::string(downsampling_name(variant.downsampling)) + ": " + show_fixed(100 * accuracy(counts), 2) + " %", counts,
      test.classes);
}

}  // namespace tidepool::cli
