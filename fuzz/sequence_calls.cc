#include "fuzz/sequence_calls.h"

#include <string>

namespace tidepool::fuzz {

Dims random_shape(ByteSource& bytes, int max_rank) {
  Dims shape;
  const int rank = bytes.below(max_rank + 1);
  for (int d = 0; d < rank; ++d) {
    const int size = bytes.below(24);
    shape.push_back(size < 23 ? size % 5 + 1 : 0);
  }
  return shape;
}

DType random_dtype(ByteSource& bytes) {
  constexpr std::array dtypes{DType::f32,  DType::f32, DType::f32, DType::f64,    DType::f16,
                              DType::bf16, DType::i32, DType::u8,  DType::boolean};
  return dtypes[static_cast<size_t>(bytes.below(dtypes.size()))];
}

Tensor create(ByteSource& bytes) {
  const Dims shape = random_shape(bytes);
  const DType dtype = random_dtype(bytes);
  switch (bytes.below(5)) {
    case 0:
      return zeros(shape, dtype);
    case 1:
      return full(shape, bytes.byte(), dtype);
    case 2:
      return arange(shape, dtype);
    case 3:
      return rand(shape, bytes.byte(), dtype).clone(bytes.flag() ? MemoryFormat::channels_last : MemoryFormat::contiguous);
    default:
      return randn(shape, bytes.byte(), dtype);
  }
}

Tensor view_of(ByteSource& bytes, const Tensor& x) {
  const int dim = bytes.between(-1, 4);
  switch (bytes.below(12)) {
    case 0:
      return x.transpose(dim, bytes.between(-1, 4));
    case 1: {
      const int64_t start = bytes.between(0, 4), stop = bytes.between(-1, 5), step = bytes.between(-2, 3);
      return x.slice(dim, start, stop, step);
    }
    case 2:
      return x.select(dim, bytes.between(-2, 4));
    case 3:
      return x.reshape(random_shape(bytes));
    case 4:
      return x.reshape({bytes.between(1, 4), -1});
    case 5: {  // repeats or reverses nothing that is not x's: every stride is x's own or 0
      Dims strides = x.strides();
      for (int d = 0; d < strides.rank; ++d)
        if (bytes.flag()) strides[d] = 0;
      return x.as_strided(x.shape(), strides);
    }
    case 6: {
      Dims shape = x.shape();
      if (shape.rank > 0 && bytes.flag()) shape[0] = bytes.between(1, 4);
      return broadcast_to(x, shape);
    }
    case 7:
      return flatten(x, dim);
    case 8:
      return contiguous(x);
    case 9:
      return x.clone(bytes.flag() ? MemoryFormat::channels_last : MemoryFormat::contiguous);
    case 10:
      return x.to(random_dtype(bytes));
    default:
      return x.detach();
  }
}

Tensor elementwise(ByteSource& bytes, const Tensor& a, const Tensor& b) {
  switch (bytes.below(18)) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return a / b;
    case 4:
      return a * 2.0;
    case 5:
      return 3.0 - a;
    case 6:
      return exp(a);
    case 7:
      return log(a);
    case 8:
      return sqrt(a);
    case 9:
      return pow(a, bytes.between(-1, 3));
    case 10:
      return relu(a);
    case 11:
      return leaky_relu(a);
    case 12:
      return sigmoid(a);
    case 13:
      return tanh(a);
    case 14:
      return gelu(a);
    case 15:
      return a == b;
    case 16:
      return a < 1;
    default:
      return concat({a, b}, bytes.between(-1, 3));
  }
}

Tensor reduction(ByteSource& bytes, const Tensor& x) {
  const int dim = bytes.between(-1, 3);
  switch (bytes.below(6)) {
    case 0:
      return sum(x);
    case 1:
      return mean(x);
    case 2:
      return sum(x, {dim}, bytes.flag());
    case 3:
      return mean(x, {dim, 0}, bytes.flag());
    case 4:
      return softmax(x, dim);
    default:
      return log_softmax(x, dim);
  }
}

namespace {

template <int N, class Options>
Options windows(ByteSource& bytes) {
  Options options;
  options.kernel_size = bytes.between(1, 3);
  if (bytes.flag()) options.stride = bytes.between(0, 3);
  options.padding = bytes.below(3);
  options.dilation = bytes.between(1, 2);
  return options;
}

template <int N>
Tensor extremum(ByteSource& bytes, const Tensor& x, Tensor& indices) {
  const auto options = windows<N, MaxPoolOptions<N>>(bytes);
  const bool min = bytes.flag();
  if (bytes.flag()) return min ? MinPoolFunctions<N>::forward(x, options) : MaxPoolFunctions<N>::forward(x, options);
  Pooled pooled = min ? MinPoolFunctions<N>::with_indices(x, options) : MaxPoolFunctions<N>::with_indices(x, options);
  indices = std::move(pooled.indices);
  return std::move(pooled.values);
}

template <int N>
Tensor global(ByteSource& bytes, const Tensor& x, Tensor& indices) {
  switch (bytes.below(5)) {
    case 0:
      return GlobalAvgPoolFunctions<N>::forward(x);
    case 1:
      return GlobalSumPoolFunctions<N>::forward(x);
    case 2:
      return GlobalLpPoolFunctions<N>::forward(x, bytes.between(1, 3));
    case 3:
      return GlobalMaxPoolFunctions<N>::forward(x);
    default: {
      Pooled pooled = GlobalMaxPoolFunctions<N>::with_indices(x);
      indices = std::move(pooled.indices);
      return std::move(pooled.values);
    }
  }
}

template <int N>
Tensor adaptive(ByteSource& bytes, const Tensor& x, Tensor& indices) {
  const int size = bytes.between(0, 4);
  switch (bytes.below(3)) {
    case 0:
      return AdaptiveAvgPoolFunctions<N>::forward(x, {.output_size = size});
    case 1:
      return AdaptiveMaxPoolFunctions<N>::forward(x, {.output_size = size});
    default: {
      Pooled pooled = AdaptiveMaxPoolFunctions<N>::with_indices(x, {.output_size = size});
      indices = std::move(pooled.indices);
      return std::move(pooled.values);
    }
  }
}

template <int N>
Tensor pool_of_rank(ByteSource& bytes, const Tensor& x, Tensor& indices) {
  switch (bytes.below(7)) {
    case 0:
      return AvgPoolFunctions<N>::forward(x, windows<N, AvgPoolOptions<N>>(bytes));
    case 1:
      return SumPoolFunctions<N>::forward(x, windows<N, SumPoolOptions<N>>(bytes));
    case 2: {
      auto options = windows<N, LpPoolOptions<N>>(bytes);
      options.norm_type = bytes.between(1, 3);
      return LpPoolFunctions<N>::forward(x, options);
    }
    case 3:
      return global<N>(bytes, x, indices);
    case 4:
      return adaptive<N>(bytes, x, indices);
    case 5:
      if constexpr (N > 1) {
        FractionalMaxPoolOptions<N> options;
        options.kernel_size = bytes.between(1, 2);
        options.output_size = bytes.between(1, 3);
        options.seed = bytes.byte();
        return FractionalMaxPoolFunctions<N>::forward(x, options);
      }
      [[fallthrough]];
    default:
      return extremum<N>(bytes, x, indices);
  }
}

}  // namespace

Tensor pool(ByteSource& bytes, const Tensor& x, Tensor& indices) {
  // Mostly the rank that x has, with or without a batch.
  const int rank = bytes.below(8) == 0 ? bytes.between(1, 3) : x.rank() - (bytes.flag() ? 2 : 1);
  if (rank <= 1) return pool_of_rank<1>(bytes, x, indices);
  return rank == 2 ? pool_of_rank<2>(bytes, x, indices) : pool_of_rank<3>(bytes, x, indices);
}

Tensor unpool(ByteSource& bytes, const Tensor& x, const Tensor& indices) {
  switch (x.rank()) {
    case 2:
    case 3:
      return MaxUnpoolFunctions<1>::forward(x, indices, windows<1, MaxUnpoolOptions<1>>(bytes));
    case 4:
      return MaxUnpoolFunctions<2>::forward(x, indices, windows<2, MaxUnpoolOptions<2>>(bytes));
    default:
      return MaxUnpoolFunctions<3>::forward(x, indices, windows<3, MaxUnpoolOptions<3>>(bytes));
  }
}

void change(ByteSource& bytes, Tensor& x, const Tensor& y) {
  switch (bytes.below(6)) {
    case 0:
      add_(x, y, bytes.below(3));
      break;
    case 1:
      mul_(x, bytes.below(3));
      break;
    case 2:
      fill_(x, bytes.byte());
      break;
    case 3:
      copy_(x, y);
      break;
    case 4:
      x += y;
      break;
    default:
      x -= y;
  }
}

std::string problem_line(ByteSource& bytes) {
  constexpr std::array ops{"max", "min", "avg", "sum", "lp"};
  const int rank = bytes.between(1, 3);
  std::string text = std::string(ops[static_cast<size_t>(bytes.below(5))]) + std::to_string(rank) + "d fwd " +
                     (bytes.flag()   ? "f32"
                      : bytes.flag() ? "f64"
                                     : "i32") +
                     " " + (bytes.flag() ? "nchw" : "nhwc") + " ";
  for (int d = 0; d < rank + 2; ++d) text += (d > 0 ? "x" : "") + std::to_string(bytes.between(0, 5));
  text += " k" + std::to_string(bytes.between(1, 3));
  if (bytes.flag()) text += " s" + std::to_string(bytes.between(0, 3));
  if (bytes.flag()) text += " p" + std::to_string(bytes.between(0, 1));
  return text;
}

}  // namespace tidepool::fuzz
