#include "prove.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <sstream>

#include "grid.h"
#include "tidepool/analyze/range_set.h"
#include "tidepool/error.h"
#include "tidepool/geometry.h"
#include "tidepool/nn/prove.h"

namespace tidepool::cli {

namespace {

constexpr int64_t widest = 36, highest = 36;  // cells of a picture; two stand side by side in 80 columns

std::string joined(const std::vector<int64_t>& cell) {
  std::string text;
  for (const int64_t position : cell) text += (text.empty() ? "" : ",") + std::to_string(position);
  return text;
}

std::string axis(const Dims& cells, int dim) {
  return cells.rank > max_spatial ? std::to_string(dim) : std::string(axis_name(cells.rank, dim));
}

std::string decimal(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.1f", number);
  return digits;
}

// The positions of the cells with a gradient along each dimension.
std::vector<analyze::RangeSet> positions(const nn::InputProof& proof) {
  std::vector<std::vector<Range>> along(proof.cells.size());
  const Dims strides = contiguous_strides(proof.cells);
  for (size_t cell = 0; cell < proof.has_gradient.size(); ++cell) {
    if (!proof.has_gradient[cell]) continue;
    for (int dim = 0; dim < proof.cells.rank; ++dim) {
      const int64_t at = static_cast<int64_t>(cell) / strides[dim] % proof.cells[dim];
      auto& ranges = along[static_cast<size_t>(dim)];
      if (ranges.empty() || ranges.back().begin != at) ranges.push_back({at, at + 1});
    }
  }
  std::vector<analyze::RangeSet> sets;
  sets.reserve(along.size());
  for (auto& ranges : along) sets.push_back(analyze::RangeSet::of(std::move(ranges)));
  return sets;
}

std::string verdict(const nn::Proof& proof, const nn::InputProof& input) {
  if (!input.gradient_only.empty())
    return "This contradicts the computed field of " + std::to_string(input.computed) + ": element " + joined(input.gradient_only[0]) +
           " has a gradient and is not in it.";
  if (input.computed_only.empty()) return "They are exactly the computed field.";
  if (proof.exact)
    return "This contradicts the computed field of " + std::to_string(input.computed) + ": element " + joined(input.computed_only[0]) +
           " is in it and has no gradient.";
  return "They are inside the computed field of " + std::to_string(input.computed) + ", which is an upper bound for this network.";
}

// One or two dimensions as rows of characters, a margin of one cell around what has a gradient.
std::optional<Block> draw(const std::string& title, const nn::InputProof& proof, const std::vector<analyze::RangeSet>& sets,
                          const std::function<char(size_t)>& letter) {
  if (sets.empty() || sets.size() > 2 || sets[0].empty()) return std::nullopt;
  const auto shown = [&](size_t dim) {
    const Range hull = sets[dim].hull();
    return Range{std::max<int64_t>(0, hull.begin - 1), std::min(proof.cells[static_cast<int>(dim)], hull.end + 1)};
  };
  const Range columns = shown(sets.size() - 1), rows = sets.size() == 2 ? shown(0) : Range{0, 1};
  if (columns.size() > widest || rows.size() > highest) return std::nullopt;
  std::vector<std::string> lines{title};
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    std::string line;
    for (int64_t column = columns.begin; column < columns.end; ++column)
      line += letter(static_cast<size_t>(row * proof.cells[-1] + column));
    lines.push_back(std::move(line));
  }
  return draw_text(lines);
}

void write_input(std::ostream& out, const analyze::Network& network, const nn::Proof& proof, const nn::InputProof& input,
                 const nn::EffectiveField* effective) {
  out << network.node(input.input).name << ": " << input.with_gradient << " of " << input.has_gradient.size()
      << " cells receive a gradient";
  const std::vector<analyze::RangeSet> sets = positions(input);
  if (input.with_gradient > 0) {
    out << " (";
    for (size_t dim = 0; dim < sets.size(); ++dim)
      out << (dim > 0 ? "; " : "") << axis(input.cells, static_cast<int>(dim)) << " " << to_string(sets[dim]);
    out << ")";
  }
  out << ". " << verdict(proof, input) << "\n";
  if (effective != nullptr && effective->most > 0) {
    out << "  95 % of the gradient's magnitude is in " << effective->most << " of them; its standard deviation is ";
    for (size_t dim = 0; dim < effective->deviation.size(); ++dim)
      out << (dim > 0 ? " and " : "") << decimal(effective->deviation[dim]) << " along " << axis(input.cells, static_cast<int>(dim));
    out << ".\n";
  }
  std::vector<Block> pictures;
  if (auto field = draw("with gradient", input, sets, [&](size_t cell) { return input.has_gradient[cell] ? '#' : '.'; }))
    pictures.push_back(std::move(*field));
  if (effective != nullptr && effective->most > 0) {
    const double largest = *std::max_element(effective->shares.begin(), effective->shares.end());
    const auto letter = [&](size_t cell) {
      const double share = effective->shares[cell] / largest;
      return share == 0 ? '.' : static_cast<char>('0' + std::min(9, static_cast<int>(share * 10)));
    };
    if (auto field = draw("tenths of the largest", input, sets, letter)) pictures.push_back(std::move(*field));
  }
  if (pictures.empty()) return;
  out << "\n";
  print_beside(out, pictures);
  out << "\n";
}

}  // namespace

ProofText prove_text(const analyze::Network& network, int node, const std::vector<int64_t>& cell) {
  const nn::Proof proof = nn::prove(network, node, cell);
  std::vector<nn::EffectiveField> effective;
  std::string refused;
  try {
    effective = nn::effective_field(network, node, cell);
  } catch (const Error& error) {  // a layer that is proven but not computed, such as an activation that is not known
    refused = error.message();
  }
  std::ostringstream out;
  const analyze::Node& layer = network.node(node);
  out << "layer " << layer.name << " (" << to_string(layer.layer) << ")";
  if (!cell.empty()) out << ", cell " << joined(cell);
  out << (proof.holds() ? ": the field is proven by gradients\n\n" : ": THE FIELD IS WRONG, which is a bug of tidepool\n\n");
  for (size_t i = 0; i < proof.inputs.size(); ++i)
    write_input(out, network, proof, proof.inputs[i], effective.empty() ? nullptr : &effective[i]);
  if (!refused.empty()) out << "Where the gradient is large was not measured: " << refused << "\n";
  return {out.str(), proof.holds()};
}

analyze::FieldPicture effective_picture(const analyze::Network& network, int node, const std::vector<int64_t>& cell) {
  analyze::FieldPicture picture;
  try {
    const nn::EffectiveField field = nn::effective_field(network, node, cell).at(0);
    if (field.cells.rank != 1 && field.cells.rank != 2) return picture;
    picture.effective.assign(field.shares.begin(), field.shares.end());
    picture.effective_rows = field.cells.rank == 2 ? field.cells[0] : 1;
    picture.effective_cols = field.cells[-1];
  } catch (const Error&) {  // prove_text says why
    return {};
  }
  return picture;
}

}  // namespace tidepool::cli
