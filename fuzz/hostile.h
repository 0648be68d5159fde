// Arrays that do not fit their plan.
#pragma once

#include <string>

#include "support/arrays.h"

namespace tidepool::fuzz {

// Makes one thing about the arrays of a sound run wrong, and says what; empty when the drawn wrong does not apply to them.
// Indices and starts are spoiled in place, in the job's memory.
std::string spoil(RunArrays& arrays, test::Job& job, test::Rng& rng);

}  // namespace tidepool::fuzz
