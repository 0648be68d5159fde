// Converts exceptions to C status codes, with the message kept per thread.
#pragma once

#include <exception>
#include <new>

#include "tidepool/c.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::c {

// Stores the message for tp_last_error, truncated to a fixed length, and returns the status.
tp_status fail(tp_status status, const char* text) noexcept;
tp_status fail(const Error& error) noexcept;

inline Error null_argument(const char* function, const char* name) {
  return {ErrorCode::invalid_argument, std::string(function) + ": " + name + " must not be NULL"};
}

// Calls f and converts any exception to a status.
template <class F>
tp_status guarded(const F& f) noexcept {
  try {
    f();
    return TP_OK;
  } catch (const Error& e) {
    return fail(e);
  } catch (const std::bad_alloc&) {
    return fail(TP_OUT_OF_MEMORY, "tidepool: out of memory");
  } catch (const std::exception& e) {
    return fail(TP_INTERNAL, e.what());
  } catch (...) {
    return fail(TP_INTERNAL, "tidepool: an exception of unknown type");
  }
}

}  // namespace tidepool::inline v0_1::c
