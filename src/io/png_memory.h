// The memory of libpng, which reports lack of memory like any other error. The pointer that belongs to it is a bool that says so.
#pragma once

#include <png.h>

#include <new>

namespace tidepool::inline v0_1::io {

inline png_voidp allocate_for_png(png_structp png, png_alloc_size_t bytes) {
  void* const memory = ::operator new(bytes, std::nothrow);
  if (memory == nullptr) *static_cast<bool*>(png_get_mem_ptr(png)) = true;
  return memory;
}

inline void release_for_png(png_structp, png_voidp memory) { ::operator delete(memory); }

}  // namespace tidepool::inline v0_1::io
