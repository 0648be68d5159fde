// Normalisations and softmax.
#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

// Scale and bias of a normalisation, and the names of their initializers.
struct Trained {
  int64_t parameters = 0;
  std::string names;
};

Trained trained(Call& call, size_t first, size_t last) {
  Trained found;
  for (size_t i = first; i <= last; ++i) {
    if (!call.has(i)) continue;
    found.parameters += std::min(count_of(call.shape(i)), INT64_MAX / 4);
    if (call.input(i).is_constant()) found.names += (found.names.empty() ? "" : "+") + call.input(i).weights;
  }
  return found;
}

void statistics(Call& call, std::string function, size_t first, size_t last) {
  for (size_t i = first; i <= last; ++i)
    if (call.has(i) && !call.input(i).is_constant()) return call.unknown();
  const Trained weights = trained(call, first, last);
  call.give(call.emit(StatisticsNorm{std::move(function), weights.parameters}, {call.input(0)}, weights.names));
}

void batch_norm(Call& call) {
  // In training the statistics are those of the batch. Without `spatial`, every place has statistics of its own.
  if (call.integer("training_mode", 0) != 0) return statistics(call, "batch_norm", 1, 2);
  if (call.opset() < 9 && call.integer("spatial", 1) == 0) return call.unknown();
  const Dims shape = call.shape(0);
  for (size_t i = 1; i <= 4; ++i) {
    if (!call.has(i) || !call.input(i).is_constant()) return call.unknown();
    if (shape.rank < 2 || count_of(call.shape(i)) != shape[1])
      call.fail("input " + std::to_string(i) + " must have one value for each channel of " + to_string(shape) + ", got " +
                    to_string(call.shape(i)),
                ErrorCode::shape_mismatch);
  }
  call.give(call.emit(Elementwise{.kind = Elementwise::Kind::normalisation, .function = "bn", .parameters_per_channel = 2}, {call.input(0)},
                      trained(call, 1, 2).names));
}

void instance_norm(Call& call) { statistics(call, "instance_norm", 1, 2); }
void layer_norm(Call& call) { statistics(call, "layer_norm", 1, 2); }
void group_norm(Call& call) { statistics(call, "group_norm", 1, 2); }
void rms_norm(Call& call) { statistics(call, "rms_norm", 1, 1); }
void mean_variance(Call& call) { statistics(call, "mean_variance_norm", 1, 0); }
void lp_norm(Call& call) { statistics(call, "lp_norm", 1, 0); }
void response_norm(Call& call) { statistics(call, "local_response_norm", 1, 0); }

// Before opset 13, over all dimensions from `axis` on.
void softmax(Call& call) {
  const Dims shape = call.shape(0);
  const bool flattens = call.opset() < 13;
  const int axis = call.axis(call.integer("axis", flattens ? 1 : -1), shape.rank);
  int64_t behind = 1;
  for (int dim = axis + 1; dim < shape.rank; ++dim) behind *= shape[dim];
  if (!flattens || behind == 1) return call.give(call.emit(Softmax{axis}, call.input(0)));
  const Value flat = call.reshape(call.input(0), Dims{count_of(shape) / (behind * shape[axis]), behind * shape[axis]});
  call.give(call.reshape(call.emit(Softmax{1}, flat), shape));
}

constexpr Operator operators[] = {
    {"BatchNormalization", batch_norm},
    {"InstanceNormalization", instance_norm},
    {"LayerNormalization", layer_norm},
    {"GroupNormalization", group_norm},
    {"RMSNormalization", rms_norm},
    {"MeanVarianceNormalization", mean_variance},
    {"LpNormalization", lp_norm},
    {"LRN", response_norm},
    {"Softmax", softmax},
    {"LogSoftmax", softmax},
    {"Hardmax", softmax},
};

}  // namespace

std::span<const Operator> normalisation_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
