// A network with a skip connection, built layer by layer, and the exact cells that one output depends on.
#include <tidepool/analyze.h>

#include <iostream>
namespace analyze = tidepool::analyze;

int main() {
  analyze::Network net;
  const int image = net.input("image", {1, 3, 32, 32});
  const int wide = net.add(analyze::parse_layer_text("conv 3x3 16 d4 p4", net.node(image).shape), {image}, "dilated");
  const int point = net.add(analyze::Conv{.out_channels = 16, .kernel_size = {{1}, 1}}, {image}, "point");
  const int sum = net.add(analyze::Merge{}, {wide, point}, "sum");
  const int out = net.add(analyze::Pool{.windows = {.kernel_size = {{2}, 1}}}, {sum}, "pool");
  net.output(out);

  const analyze::Report report = analyze::analyze(net);
  const analyze::Field& rows = report.layers[static_cast<size_t>(out)].fields[0];
  std::cout << "field of " << rows.size << " rows, stride " << to_string(rows.stride) << ", holes at " << to_string(rows.holes) << "\n";

  // The corner: its field is clipped at the image, and one of four parts of it is left.
  for (const analyze::Dependence& on : dependence(net, out, analyze::one_cell(net.node(out).shape, {0, 0})))
    std::cout << "cell 0, 0 depends on rows " << to_string(on.along(2)) << " and columns " << to_string(on.along(3)) << " of "
              << net.node(on.input).name << "\n";
}
