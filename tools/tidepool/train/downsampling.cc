#include "train/downsampling.h"

#include <array>
#include <string>

#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

constexpr std::array names = {std::pair(nn::Downsampling::max_pool, "max"), std::pair(nn::Downsampling::avg_pool, "avg"),
                              std::pair(nn::Downsampling::strided_conv, "stride")};

}  // namespace

std::string_view downsampling_name(nn::Downsampling downsampling) noexcept {
  for (const auto& [kind, name] : names)
    if (kind == downsampling) return name;
  return "";
}

nn::Downsampling downsampling_from_name(std::string_view name) {
  for (const auto& [kind, known] : names)
    if (known == name) return kind;
  throw Error(ErrorCode::parse, "LeNet: the pool must be max, avg or stride, got '" + std::string(name) + "'");
}

}  // namespace tidepool::cli
