// TIDEPOOL_API marks the functions and classes of the public headers that the library defines: a shared library exports these alone.
#pragma once

#if defined(__GNUC__)
#define TIDEPOOL_API __attribute__((visibility("default")))
#else
#define TIDEPOOL_API  // elsewhere the build exports everything
#endif
