#include "analyze/diff_totals.h"

#include "analyze/layer_cells.h"
#include "analyze/numbers.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// The last output, whose shape and field decide what can follow.
LayerCells output_of(const Compared& of) {
  const auto outputs = of.network.outputs();
  return outputs.empty() ? LayerCells() : cells_of(of.network, of.report, static_cast<size_t>(outputs.back()));
}

std::string outputs_text(const Compared& a, const Compared& b) {
  const LayerCells in_a = output_of(a), in_b = output_of(b);
  const std::string fields = in_a.field.empty() || in_b.field.empty() ? ""
                             : in_a.field == in_b.field               ? " with a field of " + in_a.field
                                                                      : " with a field of " + in_b.field + " instead of " + in_a.field;
  if (in_a.output == in_b.output)
    return "the output of both is " + in_a.output + (in_a.field == in_b.field ? "" : ", in " + b.name) + fields;
  return "its output is " + in_b.output + " instead of " + in_a.output + (fields.empty() ? "" : ",") + fields;
}

}  // namespace

std::vector<TotalPair> paired_totals(const Report& a, const Report& b) {
  std::vector<TotalPair> pairs;
  const auto integers = [&](const char* key, const char* name, int64_t Report::* total, std::string (*text)(int64_t)) {
    pairs.push_back({key, name, static_cast<double>(a.*total), static_cast<double>(b.*total), text(a.*total), text(b.*total), {}});
  };
  integers("parameters", "parameters", &Report::parameters, short_count);
  integers("multiply_adds", "multiply-adds", &Report::multiply_adds, short_count);
  integers("activation_bytes", "outputs", &Report::activation_bytes, short_bytes);
  integers("inference_bytes", "peak, inference", &Report::inference_bytes, short_bytes);
  integers("training_bytes", "peak, training", &Report::training_bytes, short_bytes);
  integers("moved_bytes", "moved", &Report::moved_bytes, short_bytes);
  pairs.push_back({"seconds", "time", a.seconds, b.seconds, short_seconds(a.seconds), short_seconds(b.seconds), {}});
  for (TotalPair& pair : pairs)
    if (pair.a != 0) pair.ratio = pair.b / pair.a;
  return pairs;
}

std::string diff_summary(const Compared& a, const Compared& b) {
  std::string text;
  const auto totals = paired_totals(a.report, b.report);
  for (const size_t at : {0u, 1u, 4u}) {
    const TotalPair& total = totals[at];
    text += text.empty() ? b.name + " has " : at == 1 ? ", " : " and ";
    const std::string what = at == 4 ? "peak memory of training" : total.name;
    if (total.a_text == total.b_text)
      text += "the same " + what + " (" + total.a_text + ")";
    else if (total.ratio)
      text += short_ratio(*total.ratio) + " times the " + what + " (" + total.b_text + " instead of " + total.a_text + ")";
    else
      text += total.b_text + " " + what + " instead of " + total.a_text;
  }
  return text + "; " + outputs_text(a, b) + ".";
}

}  // namespace tidepool::inline v0_1::analyze
