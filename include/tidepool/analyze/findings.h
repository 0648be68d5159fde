// What a reader of a report should know first, in whole sentences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

struct Finding {
  enum class Kind : uint8_t {
    lost,          // a layer does not read some cells of its input
    unseen,        // no output depends on some positions of an input
    misaligned,    // paths whose fields have different strides or middles meet
    unproductive,  // layers enlarge fields that cover the input already
    critical,      // the same, but some path through the network still has a smaller field
    unknown,       // a layer is not known, and what depends on it is not analysed
  };

  Kind kind = Kind::lost;
  int node = -1;                      // -1: the network as a whole
  std::string text;                   // one sentence, with its numbers
  std::vector<std::string> remedies;  // "ceil_mode", "padding 0:1 along h": each enough on its own
};

TIDEPOOL_API std::string to_string(Finding::Kind kind);  // "unproductive"

// In the order of the network; what concerns the network as a whole comes last.
TIDEPOOL_API std::vector<Finding> findings(const Network& network, const Report& report);

}  // namespace tidepool::inline v0_1::analyze
