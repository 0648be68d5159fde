// The options of adaptive and global pooling on the command line.
#pragma once

#include "option_text.h"

namespace tidepool::cli {

struct AdaptiveAvgFlags {
  BinCounts output_size;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("output_size", self.output_size, "output size, one number or one per axis; keep leaves an axis unchanged");
  }
};

struct AdaptiveMaxFlags {
  BinCounts output_size;
  NanPolicy nan = NanPolicy::propagate;
  IndexBase index_base = IndexBase::plane;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("output_size", self.output_size, "output size, one number or one per axis; keep leaves an axis unchanged");
    visit("nan", self.nan, "propagate: a window with a NaN gives NaN; ignore: NaN elements are left out");
    visit("index_base", self.index_base, "what indices are relative to: plane, tensor, window");
  }
};

struct GlobalFlags {
  template <class Self, class Visitor>
  static void visit(Self&, Visitor&&) {}
};

struct GlobalLpFlags {
  double norm_type = 2;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("norm_type", self.norm_type, "exponent p of the norm, above 0; inf gives the largest absolute value");
  }
};

}  // namespace tidepool::cli
