// Any bytes as a sequence of calls, see sequences.h.
#include "fuzz/sequences.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tidepool::fuzz::run_sequence(data, size);
  return 0;
}
