// A file that must be refused with words, and what hostile bytes may do: be read, or be refused, nothing else.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tidepool/error.h"

namespace tidepool::io {

template <class Call>
::testing::AssertionResult refused(const std::string& words, const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    if (e.code() == ErrorCode::parse && e.message().find(words) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "got " << error_code_name(e.code()) << ": " << e.message() << "\nwanted " << words;
  }
  return ::testing::AssertionFailure() << "accepted, instead of: " << words;
}

// True when `call` was refused with an Error. Whatever else it throws ends the test.
template <class Call>
bool refuses_or_reads(const Call& call) {
  try {
    call();
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace tidepool::io
