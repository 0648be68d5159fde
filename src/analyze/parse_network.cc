#include <algorithm>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "analyze/function_words.h"
#include "analyze/parse_layer.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int deepest = 64;          // brackets inside brackets
constexpr int most_steps = 1 << 20;  // ( ( … ) x1000 ) x1000 would be endless

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_sign(char c) { return c == ',' || c == '[' || c == ']' || c == '(' || c == ')' || c == '|'; }

using Words = OptionWords::Words;

// With the batch: C, L and C, H, W get one of size 1.
Dims batched(const Dims& shape) {
  Dims with_batch = shape;
  if (shape.rank == 2 || shape.rank == 3) {
    with_batch = Dims{1};
    for (const int64_t size : shape) with_batch.push_back(size);
  }
  if (with_batch.rank < 3 || with_batch.rank > 5)
    detail::throw_error(
        {ErrorCode::shape_mismatch, "network: the input must be C, L; C, H, W; N, C, H, W; or N, C, D, H, W, got " + to_string(shape)});
  return with_batch;
}

class Parser {
 public:
  Parser(const Dims& shape, std::string_view text) : text_(text) { current_ = net_.input("input", shape); }

  Network run() {
    sequence(0);
    skip_spaces();
    if (at_ < text_.size()) fail("unexpected '" + std::string(1, text_[at_]) + "'", at_);
    if (net_.nodes().size() == 1) fail("the network has no layers", 0);
    net_.output(current_);
    return std::move(net_);
  }

 private:
  [[noreturn]] void fail(const std::string& message, size_t at, ErrorCode code = ErrorCode::parse) const {
    const size_t from = at > 20 ? at - 20 : 0;
    detail::throw_error({code, "network: " + message + ", at character " + std::to_string(at + 1) + ": \"" + (from > 0 ? "…" : "") +
                                   std::string(text_.substr(from, at - from)) + " → " + std::string(text_.substr(at, 40)) + "\""});
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool next_is(char c) {
    skip_spaces();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  // Words up to the next sign.
  Words words() {
    Words found;
    while (skip_spaces(), at_ < text_.size() && !is_sign(text_[at_])) {
      const size_t from = at_;
      while (at_ < text_.size() && !is_space(text_[at_]) && !is_sign(text_[at_])) ++at_;
      found.push_back(text_.substr(from, at_ - from));
    }
    return found;
  }

  // Layers up to the end, or to a sign that closes. Empty sequences are allowed.
  void sequence(int depth) {
    if (depth > deepest) fail("more than " + std::to_string(deepest) + " brackets inside each other", at_);
    do {
      skip_spaces();
      if (at_ == text_.size() || next_is('|') || next_is(']') || next_is(')')) return;
      if (take('['))
        branches(depth);
      else if (take('('))
        repeated(depth);
      else
        layer();
    } while (take(','));
  }

  void branches(int depth) {
    const size_t from = at_ - 1;
    const int start = current_;
    std::vector<int> ends;
    do {
      current_ = start;
      sequence(depth + 1);
      ends.push_back(current_);
    } while (take('|'));
    if (!take(']')) fail("'[' without ']'", from);
    const size_t join_at = (skip_spaces(), at_);
    const auto found = words();
    if (found.empty() || !is_join(found[0])) fail("behind ']' must be concat, add, mul or another function of several inputs", join_at);
    add(parsed([&] { return *parse_join(found); }, join_at), ends, {});
  }

  void repeated(int depth) {
    const size_t from = at_;
    sequence(depth + 1);
    if (!take(')')) fail("'(' without ')'", from - 1);
    const size_t behind = (skip_spaces(), at_);
    const auto count = words();
    int64_t times = 0;
    if (count.size() == 1 && count[0].starts_with("x") && count[0].size() < 8)
      for (const char c : count[0].substr(1)) times = c >= '0' && c <= '9' && times >= 0 ? times * 10 + (c - '0') : -1;
    if (times < 1) fail("behind ')' must be x and how often, such as x3", behind);
    const size_t end = at_;
    for (int64_t i = 1; i < times; ++i) {
      step(behind);
      at_ = from;
      sequence(depth + 1);
    }
    at_ = end;
  }

  // Counts a layer or a repetition.
  void step(size_t at) {
    if (++steps_ > most_steps) fail("more than " + std::to_string(most_steps) + " layers", at);
  }

  void layer() {
    const size_t from = at_;
    step(from);
    auto found = words();
    if (found.empty()) fail("a layer is missing", from);
    std::string name;
    if (found[0].size() > 1 && found[0].ends_with(":")) {
      name = found[0].substr(0, found[0].size() - 1);
      found.erase(found.begin());
      if (found.empty()) fail("a layer is missing behind the name", from);
      if (named_.contains(name)) fail("the name '" + name + "' is given twice", from);
    }
    if (found[0] == "from")
      current_ = operand(found, from);
    else if (found[0] == "input")
      start(found, name, from);
    else if (is_join(found[0]))
      join(found, name, from);
    else
      add(parsed([&] { return parse_layer(found, net_.node(current_).shape); }, from), {current_}, name);
    if (!name.empty()) named_[name] = current_;
  }

  static bool is_join(std::string_view word) {
    return word == "concat" || word == "merge" || word == "matmul" || find_merge(word) != nullptr;
  }

  // The layer that the last word names.
  int operand(const Words& words, size_t at) const {
    const std::string what = quoted(words[0]);
    if (words.size() < 2) fail(what + " needs the name of a layer", at);
    const auto named = named_.find(std::string(words.back()));
    if (named == named_.end()) fail("there is no layer " + quoted(words.back()) + " before", at);
    return named->second;
  }

  void join(Words words, const std::string& name, size_t at) {
    const int other = operand(words, at);
    words.pop_back();
    add(parsed([&] { return *parse_join(words); }, at), {current_, other}, name);
  }

  void start(const Words& words, const std::string& name, size_t at) {
    if (words.size() != 2) fail("'input' needs a shape, such as 3x64x64", at);
    const Dims shape = parsed([&] { return batched(dims_in(words[1], words[1])); }, at);
    current_ = net_.input(name.empty() ? "input" : name, shape);
  }

  // What `parse` returns; its errors get the position.
  template <class Parse>
  std::invoke_result_t<Parse> parsed(const Parse& parse, size_t at) const {
    try {
      return parse();
    } catch (const Error& e) {
      fail(e.message(), at, e.code());
    }
  }

  void add(Layer layer, const std::vector<int>& inputs, const std::string& name) { current_ = net_.add(std::move(layer), inputs, name); }

  std::string_view text_;
  size_t at_ = 0;
  int steps_ = 0;
  Network net_;
  int current_ = 0;
  std::map<std::string, int> named_;
};

}  // namespace

Network parse_network(const Dims& shape, std::string_view text) { return Parser(batched(shape), text).run(); }

}  // namespace tidepool::inline v0_1::analyze
