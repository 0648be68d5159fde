// Converts the types of option fields from and to their text on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tidepool/axis.h"
#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/problem.h"

namespace tidepool::cli {

// Output sizes of adaptive pooling. The word `keep` leaves an axis unchanged.
struct BinCounts : Sizes {};

// Each throws Error(parse) with a message that says what was expected.
void read_text(std::string_view text, Sizes& value);                     // 3, or 3,2, or 3x2
void read_text(std::string_view text, Pads& value);                      // 1, or 1,2, or 0:1,2:2, or same, same_lower, valid
void read_text(std::string_view text, CeilMode& value);                  // floor, ceil, ceil_full
void read_text(std::string_view text, NanPolicy& value);                 // propagate, ignore
void read_text(std::string_view text, std::optional<IndexBase>& value);  // plane, tensor, window
void read_text(std::string_view text, Preset& value);                    // torch, onnx, tensorflow, caffe
void read_text(std::string_view text, CountPad& value);                  // true, false, full_kernel
void read_text(std::string_view text, IntegerRounding& value);           // truncate, floor, nearest_even
void read_text(std::string_view text, std::optional<Size>& value);       // a number
void read_text(std::string_view text, BinCounts& value);                 // 7, or 7,5, or 7,keep
void read_text(std::string_view text, Dims& value);                      // 112, or 112,112, or 1x64x112x112
void read_text(std::string_view text, Ratios& value);                    // 0.5, or 0.5,0.7
void read_text(std::string_view text, double& value);                    // 2, 1.5, inf
void read_text(std::string_view text, uint64_t& value);                  // a number, 0 or more
void read_text(std::string_view text, bool& value);                      // true, false
void read_text(std::string_view text, IndexBase& value);                 // plane, tensor, window

// The words that an option takes, as "{floor,ceil,ceil_full}". The argument only chooses the type.
std::string words_of(CeilMode);
std::string words_of(NanPolicy);
std::string words_of(IndexBase);
std::string words_of(std::optional<IndexBase>);
std::string words_of(Preset);
std::string words_of(CountPad);
std::string words_of(IntegerRounding);
std::string words_of(bool);

std::string text_of(const Sizes& value);
std::string text_of(const Pads& value);
std::string text_of(CeilMode value);
std::string text_of(NanPolicy value);
std::string text_of(std::optional<IndexBase> value);
std::string text_of(Preset value);
std::string text_of(CountPad value);
std::string text_of(IntegerRounding value);
std::string text_of(std::optional<Size> value);
std::string text_of(const Dims& value);
std::string text_of(const Ratios& value);
std::string text_of(double value);
std::string text_of(uint64_t value);
std::string text_of(bool value);
std::string text_of(IndexBase value);

}  // namespace tidepool::cli
