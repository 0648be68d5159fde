// Replaces prove.cc in builds without tidepool::nn.
#include "prove.h"
#include "tidepool/error.h"

namespace tidepool::cli {

ProofText prove_text(const analyze::Network&, int, const std::vector<int64_t>&) {
  throw Error(ErrorCode::unsupported, "prove: this build has no tidepool::nn, because oneDNN was not found (Debian: libdnnl-dev)");
}

analyze::FieldPicture effective_picture(const analyze::Network&, int, const std::vector<int64_t>&) { return {}; }

}  // namespace tidepool::cli
