// Arrays that go through files and `tidepool pool`.
#pragma once

#include "reference/compare.h"
#include "run_tool.h"
#include "tidepool/io/npy.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

class Pool : public InFolder {
 protected:
  void write(const std::string& name, const TensorArg& array_arg) {
    const TensorView& array = array_arg.view();
    io::AtomicFile file(path(name));
    io::write_npy(file, array);
    file.commit();
  }
  Tensor read(const std::string& name) { return io::read_npy(path(name)); }

  // The arguments behind `tidepool pool`.
  void expect_runs(const std::string& arguments) {
    const Answer answer = tool("pool " + arguments);
    EXPECT_EQ(answer.code, 0) << arguments << "\n" << answer.err;
  }

  void expect_file(const std::string& name, const TensorArg& expected_arg) {
    const TensorView& expected = expected_arg.view();
    const auto mismatch = reference::compare_bits(read(name), expected);
    EXPECT_FALSE(mismatch) << name << ": got " << mismatch->got << ", expected " << mismatch->expected;
  }
};

}  // namespace tidepool::cli
