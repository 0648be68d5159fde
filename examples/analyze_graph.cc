// A network with a skip connection, built layer by layer, and the exact cells that one output depends on.
#include <tidepool/analyze.h>

#include <iostream>
namespace tp = tidepool;
namespace analyze = tidepool::analyze;

int main() {
  analyze::Network net;
  const int image = net.input("image", {1, 3, 32, 32});
  const int wide = net.add(
      analyze::Conv{.out_channels = 16, .kernel_size = tp::Extent<2>(3), .padding = tp::Padding<2>(4), .dilation = tp::Extent<2>(4)},
      {image}, "dilated");
  const int point = net.add(analyze::parse_layer_text("conv 1x1 16", net.node(image).shape), {image}, "point");  // or as text
  const int sum = net.add(analyze::Merge{}, {wide, point}, "sum");
  const int out = net.add(analyze::parse_layer_text("max 2", net.node(sum).shape), {sum}, "pool");
  net.output(out);

  const analyze::Report report = analyze::analyze(net);
  const analyze::Field& rows = report.layers[static_cast<size_t>(out)].fields[0];
  std::cout << "field of " << rows.size << " rows, stride " << to_string(rows.stride) << ", holes at " << to_string(rows.holes) << "\n";

  // The corner: its field is clipped at the image, and one of four parts of it is left.
  for (const analyze::Dependence& on : dependence(net, out, analyze::one_cell(net.node(out).shape, {0, 0})))
    std::cout << "cell 0, 0 depends on rows " << to_string(on.along(2)) << " and columns " << to_string(on.along(3)) << " of "
              << net.node(on.input).name << "\n";
}
