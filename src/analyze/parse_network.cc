#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analyze/layer_words.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int deepest = 64;             // brackets inside brackets
constexpr size_t most_nodes = 1 << 20;  // ( ( … ) x1000 ) x1000 would be endless

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_sign(char c) { return c == ',' || c == '[' || c == ']' || c == '(' || c == ')' || c == '|'; }

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
  std::vector<std::string_view> words() {
    std::vector<std::string_view> found;
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
    const auto join = words();
    if (join.size() != 1 || (join[0] != "concat" && join[0] != "add" && join[0] != "mul"))
      fail("behind ']' must be concat, add or mul", join_at);
    merge(join[0], ends, join_at);
  }

  void merge(std::string_view how, const std::vector<int>& nodes, size_t at) {
    if (how == "concat")
      add(Concat{}, nodes, {}, at);
    else if (how == "add")
      add(Merge{}, nodes, {}, at);
    else
      add(Merge{Merge::Kind::multiply, "mul"}, nodes, {}, at);
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
      at_ = from;
      sequence(depth + 1);
    }
    at_ = end;
  }

  void layer() {
    const size_t from = at_;
    auto found = words();
    if (found.empty()) fail("a layer is missing", from);
    std::string name;
    if (found[0].size() > 1 && found[0].ends_with(":")) {
      name = found[0].substr(0, found[0].size() - 1);
      found.erase(found.begin());
      if (found.empty()) fail("a layer is missing behind the name", from);
      if (named_.contains(name)) fail("the name '" + name + "' is given twice", from);
    }
    const bool joins = found[0] == "add" || found[0] == "concat" || found[0] == "mul";
    if (found[0] == "from" || joins) {
      if (found.size() != 2) fail("'" + std::string(found[0]) + "' needs the name of a layer", from);
      const auto named = named_.find(std::string(found[1]));
      if (named == named_.end()) fail("there is no layer '" + std::string(found[1]) + "' before", from);
      if (joins)
        merge(found[0], {current_, named->second}, from);
      else
        current_ = named->second;
    } else {
      Layer parsed;
      try {
        parsed = parse_layer(found, net_.node(current_).shape);
      } catch (const Error& e) {
        fail(e.message(), from, e.code());
      }
      add(std::move(parsed), {current_}, name, from);
    }
    if (!name.empty()) named_[name] = current_;
  }

  void add(Layer layer, const std::vector<int>& inputs, const std::string& name, size_t at) {
    if (net_.nodes().size() >= most_nodes) fail("more than " + std::to_string(most_nodes) + " layers", at);
    current_ = net_.add(std::move(layer), inputs, name);
  }

  std::string_view text_;
  size_t at_ = 0;
  Network net_;
  int current_ = 0;
  std::map<std::string, int> named_;
};

}  // namespace

Network parse_network(const Dims& shape, std::string_view text) {
  Dims batched = shape;
  if (shape.rank == 2 || shape.rank == 3) {  // C, L or C, H, W
    batched = Dims{1};
    for (const int64_t size : shape) batched.push_back(size);
  }
  if (batched.rank < 3 || batched.rank > 5)
    detail::throw_error({ErrorCode::shape_mismatch, "network: the input must be C, L; C, H, W; N, C, H, W; or N, C, D, H, W, got " + to_string(shape)});
  return Parser(batched, text).run();
}

}  // namespace tidepool::inline v0_1::analyze
