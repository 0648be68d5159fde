// Expectations for files that must be refused, and for damaged files, which may be read or refused but must do nothing else.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tidepool/io/io_error.h"  // opens the namespace with its version

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

// True when `call` throws an Error, false when it succeeds. Any other exception fails the test.
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
