#pragma once

#include "oracle/oracle.h"

namespace tidepool::oracle {

// Lp pooling, all passes, with a tolerance: powers are not exact.
Expected norm(const Problem& problem, const RunArrays& arrays);

}  // namespace tidepool::oracle
