#include "tidepool/dlpack.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "tidepool/creation.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

// A tensor of another library: 2x3 floats 0..5 at an offset, with a count of calls to its deleter.
struct Foreign {
  alignas(64) std::array<float, 8> memory = {0, 1, 2, 3, 4, 5, 6, 7};
  std::array<int64_t, 8> shape = {2, 3};
  std::array<int64_t, 8> strides = {3, 1};
  int deleted = 0;
  DLManagedTensor managed{};

  Foreign() {
    managed.dl_tensor.data = memory.data();
    managed.dl_tensor.device = {kDLCPU, 0};
    managed.dl_tensor.ndim = 2;
    managed.dl_tensor.dtype = {kDLFloat, 32, 1};
    managed.dl_tensor.shape = shape.data();
    managed.dl_tensor.strides = strides.data();
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) { ++static_cast<Foreign*>(self->manager_ctx)->deleted; };
  }
  DLTensor& tensor() { return managed.dl_tensor; }
};

TEST(DlpackTest, ViewsBorrowWithoutCopying) {
  Foreign foreign;
  const TensorView view = view_from_dlpack(foreign.tensor());
  EXPECT_EQ(view.data_as<float>(), foreign.memory.data());
  EXPECT_EQ(view.dtype, DType::f32);
  EXPECT_EQ(view.shape, (Dims{2, 3}));
  EXPECT_EQ(view.strides, (Dims{3, 1}));
  EXPECT_EQ(foreign.deleted, 0);
}

TEST(DlpackTest, NoStridesMeansRowMajor) {
  Foreign foreign;
  foreign.tensor().strides = nullptr;
  foreign.shape = {2, 1, 4};
  foreign.tensor().ndim = 3;
  EXPECT_EQ(view_from_dlpack(foreign.tensor()).strides, (Dims{4, 4, 1}));
}

TEST(DlpackTest, ByteOffsetAndNegativeStridesAreHonoured) {
  Foreign foreign;
  foreign.tensor().byte_offset = 5 * sizeof(float);
  foreign.strides = {-3, -1};
  const Tensor tensor = from_dlpack(&foreign.managed);
  EXPECT_EQ(tensor.data<float>(), foreign.memory.data() + 5);
  EXPECT_EQ(tensor.item({0, 0}), 5);
  EXPECT_EQ(tensor.item({1, 2}), 0);
}

TEST(DlpackTest, TheDeleterRunsOnceWithTheLastOwner) {
  Foreign foreign;
  {
    Tensor part;
    {
      const Tensor tensor = from_dlpack(&foreign.managed);
      const Tensor shared = tensor;
      part = shared.slice(1, 1, 3);
    }
    EXPECT_EQ(foreign.deleted, 0);
    EXPECT_EQ(part.data<float>(), foreign.memory.data() + 1);
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(DlpackTest, AMissingDeleterIsAllowed) {
  Foreign foreign;
  foreign.managed.deleter = nullptr;
  EXPECT_EQ(from_dlpack(&foreign.managed).item({1, 0}), 3);
}

TEST(DlpackTest, EmptyTensorsNeedNoMemory) {
  Foreign foreign;
  foreign.tensor().data = nullptr;
  foreign.tensor().byte_offset = 12;
  foreign.shape = {0, 3};
  const Tensor tensor = from_dlpack(&foreign.managed);
  EXPECT_EQ(tensor.numel(), 0);
  EXPECT_EQ(tensor.shape(), (Dims{0, 3}));
  EXPECT_EQ(tensor.clone().shape(), (Dims{0, 3}));
}

TEST(DlpackTest, ScalarsNeedNoShape) {
  Foreign foreign;
  foreign.tensor().ndim = 0;
  foreign.tensor().shape = nullptr;
  foreign.tensor().strides = nullptr;
  foreign.tensor().byte_offset = 8;
  EXPECT_EQ(from_dlpack(&foreign.managed).item({}), 2);
}

TEST(DlpackTest, RefusesWhatItCannotHold) {
  struct Case {
    ErrorCode code;
    const char* message;
    void (*spoil)(Foreign&);
  };
  const Case cases[] = {
      {ErrorCode::unsupported, "device must be the CPU, got device type 2", [](Foreign& f) { f.tensor().device.device_type = kDLCUDA; }},
      {ErrorCode::dtype_mismatch, "lanes must be 1, got 4", [](Foreign& f) { f.tensor().dtype.lanes = 4; }},
      {ErrorCode::dtype_mismatch, "lanes must be 1, got 0", [](Foreign& f) { f.tensor().dtype.lanes = 0; }},
      {ErrorCode::dtype_mismatch, "dtype must be one that tidepool supports, got code 5 with 64 bits",
       [](Foreign& f) { f.tensor().dtype = {kDLComplex, 64, 1}; }},
      {ErrorCode::dtype_mismatch, "dtype must be one that tidepool supports, got code 0 with 4 bits",
       [](Foreign& f) { f.tensor().dtype = {kDLInt, 4, 1}; }},
      {ErrorCode::invalid_argument, "rank must be in [0, 8], got 9", [](Foreign& f) { f.tensor().ndim = 9; }},
      {ErrorCode::invalid_argument, "rank must be in [0, 8], got -1", [](Foreign& f) { f.tensor().ndim = -1; }},
      {ErrorCode::invalid_argument, "shape must not be null, got rank 2", [](Foreign& f) { f.tensor().shape = nullptr; }},
      {ErrorCode::invalid_argument, "size must be at least 0, got -3 (dim 1)", [](Foreign& f) { f.shape[1] = -3; }},
      {ErrorCode::invalid_argument, "data must not be null, got shape 2x3", [](Foreign& f) { f.tensor().data = nullptr; }},
      {ErrorCode::invalid_argument, "data must be aligned to its element of 4 bytes, got byte_offset 2",
       [](Foreign& f) { f.tensor().byte_offset = 2; }},
      {ErrorCode::overflow, "byte_offset must be below 2^63, got 18446744073709551615",
       [](Foreign& f) { f.tensor().byte_offset = std::numeric_limits<uint64_t>::max(); }},
      {ErrorCode::overflow, "number of elements must be below 2^63, got shape 4611686018427387904x3",
       [](Foreign& f) { f.shape[0] = int64_t{1} << 62; }},
      {ErrorCode::overflow, "memory must span less than 2^63 bytes, got shape 2x3 with strides 4611686018427387904x1",
       [](Foreign& f) { f.strides[0] = int64_t{1} << 62; }},
  };
  for (const Case& c : cases) {
    Foreign foreign;
    c.spoil(foreign);
    const std::string message = std::string("from_dlpack: ") + c.message;
    EXPECT_TRUE(refuses(c.code, message, [&] { view_from_dlpack(foreign.tensor()); }));
    EXPECT_TRUE(refuses(c.code, message, [&] { from_dlpack(&foreign.managed); }));
    EXPECT_EQ(foreign.deleted, 0) << "a refused tensor still belongs to its owner";
  }
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "from_dlpack: tensor must not be null, got null", [] { from_dlpack(nullptr); }));
}

TEST(DlpackTest, ExportsShareMemoryAndKeepItAlive) {
  DLManagedTensor* managed = nullptr;
  const float* data = nullptr;
  {
    const Tensor tensor = arange({2, 3, 4}).transpose(0, 2);
    data = tensor.data<float>();
    managed = to_dlpack(tensor);
  }
  const DLTensor& out = managed->dl_tensor;
  EXPECT_EQ(out.data, data);
  EXPECT_EQ(out.byte_offset, 0u);
  EXPECT_EQ(out.device.device_type, kDLCPU);
  ASSERT_EQ(out.ndim, 3);
  EXPECT_EQ((std::vector<int64_t>(out.shape, out.shape + 3)), (std::vector<int64_t>{4, 3, 2}));
  EXPECT_EQ((std::vector<int64_t>(out.strides, out.strides + 3)), (std::vector<int64_t>{1, 4, 12}));
  EXPECT_EQ(static_cast<const float*>(out.data)[23], 23.0f);
  managed->deleter(managed);
}

TEST(DlpackTest, EveryDTypeGoesOutAndComesBack) {
  for (DType dtype : all_dtypes) {
    const Tensor tensor = rand({3, 5}, 1, dtype);
    DLManagedTensor* managed = to_dlpack(tensor);
    EXPECT_EQ(managed->dl_tensor.dtype.bits, 8 * dtype_size(dtype));
    const Tensor back = from_dlpack(managed);
    EXPECT_EQ(back.dtype(), dtype);
    EXPECT_EQ(back.shape(), tensor.shape());
    EXPECT_EQ(back.data<std::byte>(), tensor.data<std::byte>());
  }
}

TEST(DlpackTest, TensorsThatRequireGradientsAreRefused) {
  Tensor x = zeros({2, 3});
  x.set_requires_grad();
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument,
                      "to_dlpack: tensor must not require gradients, got one that does (shape 2x3; use detach)", [&] { to_dlpack(x); }));
  DLManagedTensor* managed = to_dlpack(x.detach());
  EXPECT_EQ(managed->dl_tensor.data, x.data<float>());
  managed->deleter(managed);
}

}  // namespace
}  // namespace tidepool
