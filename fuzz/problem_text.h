// Problems in words, made from a fuzzer's bytes.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <string>

namespace tidepool::fuzz {

// Reads like a problem and mostly is one; numbers may be hostile.
std::string problem_text(FuzzedDataProvider& bytes);

}  // namespace tidepool::fuzz
