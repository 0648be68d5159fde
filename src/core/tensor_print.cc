#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <locale>
#include <sstream>

#include "core/convert.h"
#include "core/layout.h"

namespace tidepool::inline v0_1 {

namespace {

constexpr int64_t print_all_up_to = 1000;

template <class T>
std::string element_text(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    const double wide = detail::convert<double>(value);
    if (std::isnan(wide)) return "nan";
    if (std::isinf(wide)) return wide < 0 ? "-inf" : "inf";
    std::ostringstream out;
    out.exceptions(std::ios::badbit);  // otherwise lack of memory would shorten the text
    // The global locale may use a decimal comma.
    out.imbue(std::locale::classic());
    if (std::trunc(wide) == wide && std::fabs(wide) < 1e8) {
      out.precision(0);
      out << std::fixed << wide << '.';
      return out.str();
    }
    // The fewest digits that convert back to the same value of type T.
    for (int digits = 1; digits <= 8; ++digits) {
      out.str("");
      out.precision(digits);
      out << wide;
      std::istringstream in(out.str());
      in.exceptions(std::ios::badbit);
      in.imbue(std::locale::classic());
      double back = 0;
      if (in >> back && detail::convert<double>(detail::convert<T>(back)) == wide) break;
    }
    return out.str();
  }
}

class Printer {
 public:
  explicit Printer(const TensorView& tensor) : tensor_(tensor) {
    // Large tensors show only the first and last elements of each axis, and fewer of them the more axes there are.
    if (tensor.numel() > print_all_up_to) edge_ = tensor.rank() <= 3 ? 3 : tensor.rank() == 4 ? 2 : 1;
  }

  std::string print() {
    visit(0, 0, [&](int64_t offset) { width_ = std::max(width_, text_at(offset).size()); }, [](std::string_view) {});
    std::string text;
    visit(
        0, 0,
        [&](int64_t offset) {
          const std::string element = text_at(offset);
          text.append(width_ - element.size(), ' ').append(element);
        },
        [&](std::string_view between) { text.append(between); });
    return text;
  }

 private:
  std::string text_at(int64_t offset) const {
    const std::byte* at = tensor_.data + offset * dtype_size(tensor_.dtype);
    return dispatch(tensor_.dtype, [&]<class T>(TypeTag<T>) { return element_text(detail::load_element<T>(at)); });
  }

  // Calls element(offset) for every printed element and between(text) for the brackets and gaps. print() runs it twice: for the column
  // width, and for the text.
  template <class Element, class Between>
  void visit(int dim, int64_t offset, const Element& element, const Between& between) const {
    if (dim == tensor_.rank()) return element(offset);
    const int64_t size = tensor_.size(dim);
    const int inner = tensor_.rank() - 1 - dim;
    const std::string gap =
        inner == 0 ? " " : std::string(static_cast<size_t>(inner), '\n') + std::string(static_cast<size_t>(dim) + 1, ' ');
    between("[");
    for (int64_t i = 0; i < size; ++i) {
      if (i > 0) between(gap);
      if (edge_ > 0 && i == edge_ && size > 2 * edge_) {
        between("...");
        between(gap);
        i = size - edge_;
      }
      visit(dim + 1, offset + i * tensor_.stride(dim), element, between);
    }
    between("]");
  }

  TensorView tensor_;
  int64_t edge_ = 0;
  size_t width_ = 0;
};

}  // namespace

std::string to_string(const TensorArg& tensor) {
  if (detail::is_undefined(tensor.view())) return "undefined";
  detail::check_layout("to_string", tensor.view()).value();
  if (tensor.view().numel() == 0) return "[]";
  return Printer(tensor.view()).print();
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << to_string(tensor); }
std::ostream& operator<<(std::ostream& out, const TensorView& tensor) { return out << to_string(tensor); }
std::ostream& operator<<(std::ostream& out, const Dims& dims) { return out << to_string(dims); }

}  // namespace tidepool::inline v0_1
