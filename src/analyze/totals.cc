#include "analyze/totals.h"

#include "analyze/numbers.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// "25,557,032 (25.6 M)"
std::string exact_and_short(int64_t number, const std::string& brief) {
  const std::string exact = grouped(number);
  return exact == brief ? exact : exact + " (" + brief + ")";
}

}  // namespace

std::vector<Total> totals(const Report& report) {
  return {{"parameters", exact_and_short(report.parameters, short_count(report.parameters))},
          {"multiply-adds", exact_and_short(report.multiply_adds, short_count(report.multiply_adds))},
          {"outputs", short_bytes(report.activation_bytes) + " of all layers together"},
          {"peak memory", short_bytes(report.inference_bytes) + " in inference, " + short_bytes(report.training_bytes) +
                              " in training, without the parameters"},
          {"moved", short_bytes(report.moved_bytes) + ", " + short_seconds(report.seconds) + " at the speed of memory"}};
}

std::string remedies_sentence(const Finding& finding) {
  std::string text;
  switch (finding.kind) {
    case Finding::Kind::lost:
    case Finding::Kind::unseen:
      text = "To keep them: ";
      break;
    case Finding::Kind::misaligned:
      text = "To align them: ";
      break;
    default:
      text = "To use them: ";
  }
  for (size_t i = 0; i < finding.remedies.size(); ++i) text += (i == 0 ? "" : "; or ") + finding.remedies[i];
  return text + ".";
}

}  // namespace tidepool::inline v0_1::analyze
