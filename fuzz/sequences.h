// Runs bytes as a sequence of calls: tensors are made, copied, moved, viewed, changed, pooled, differentiated and destroyed in any order,
// partly on three threads. An Error is a legal answer to any of them; a wrong result ends the program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tidepool::fuzz {

void run_sequence(const uint8_t* data, size_t size);

}  // namespace tidepool::fuzz
