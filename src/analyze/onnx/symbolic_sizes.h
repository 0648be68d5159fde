// The sizes that a file leaves open: by name, or without one.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/onnx/model.h"
#include "tidepool/analyze/onnx.h"

namespace tidepool::inline v0_1::analyze::onnx {

// The shapes of all inputs, once the symbolic sizes have numbers. Refers to its arguments.
class SymbolicSizes {
 public:
  // Throws Error if a size is missing, or given twice with different numbers, or not in the file.
  SymbolicSizes(const std::vector<const ValueInfo*>& inputs, const OnnxOptions& options);

  Dims shape_of(size_t input) const;

 private:
  void take_given();
  void bind(const ValueInfo& input, const Dims& shape);
  void take_batches();
  void ask_for_missing() const;
  std::optional<int64_t> size_of(const ValueInfo& value, size_t dim) const;

  const std::vector<const ValueInfo*>& inputs_;
  const OnnxOptions& options_;
  std::map<std::string_view, int64_t> known_;  // by names in the file or in the options
};

}  // namespace tidepool::inline v0_1::analyze::onnx
