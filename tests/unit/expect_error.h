// Asserts that a call throws Error with that code and that message.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tidepool/error.h"

namespace tidepool::test {

template <class Call>
::testing::AssertionResult refuses(ErrorCode code, const std::string& message, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    if (error.code() == code && error.message() == message) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "got " << error_code_name(error.code()) << ": " << error.message() << "\nwanted "
                                         << error_code_name(code) << ": " << message;
  }
  return ::testing::AssertionFailure() << "nothing was thrown, wanted " << error_code_name(code) << ": " << message;
}

}  // namespace tidepool::test
