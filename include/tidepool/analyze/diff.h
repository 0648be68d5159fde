// Two networks side by side, such as one that pools and one with strided convolutions in place of the pools.
#pragma once

#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"
#include "tidepool/export.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::analyze {

// A layer of the first network and the one of the second that takes its place. -1: only the other network has it.
struct LayerPair {
  int a = -1, b = -1;
  bool same = false;  // the same layer with an output of the same shape
};

// All layers of both networks in order, paired so that as many as possible are of the same text, then of the same kind, then have outputs
// of the same shape. Networks that are too large to compare every layer with every other are paired in order between what they have in
// common at both ends.
TIDEPOOL_API std::vector<LayerPair> paired_layers(const Network& a, const Network& b);

struct Compared {
  const Network& network;
  const Report& report;
  std::string name;  // "A"
};

struct DiffOptions {
  NamedOnly named_only = NamedOnly::fields();
  int columns = 100;    // no line is wider; at least 20
  bool colour = false;  // ANSI colours: layers that differ stand out
};

// One sentence: how the costs of the second compare with those of the first, and what becomes of the outputs and their fields.
TIDEPOOL_API std::string diff_summary(const Compared& a, const Compared& b);
// Pairs of layers, totals with ratios, and the summary. Where the width does not suffice, the columns mult-adds, bytes, params and field
// are left out, and then each pair becomes a paragraph.
TIDEPOOL_API std::string diff_table(const Compared& a, const Compared& b, const DiffOptions& options = {});
// The same, and both reports, in the form that docs/analyze-json.md describes.
TIDEPOOL_API std::string diff_json(const Compared& a, const Compared& b);

}  // namespace tidepool::inline v0_1::analyze
