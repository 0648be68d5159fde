// The exact field of a cell as shapes over the planes of the inputs. All coordinates are cells of the input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

struct Rectangle {
  int64_t x = 0, y = 0, width = 0, height = 0;
};

// The cells of a path of SVG that are inside `clip`, another path; all of them without one. Sets of many ranges along both axes are stripes
// cut by stripes, which takes as many pieces as there are ranges and not their product.
struct Shape {
  std::string path, clip;
};

// One input, or one slice of it. One-dimensional inputs have one row.
struct Plane {
  int input = 0;
  std::string label;  // "image 224x224", "scan, slice 3"
  int64_t rows = 1, cols = 1;
  std::vector<Shape> field;  // their union
  Rectangle reach;           // the field if the input had no ends, holes included
  Rectangle view;            // what to show: the input and what is near it of the reach
  int64_t coarse = 0;        // holes of up to this many cells are filled in the drawing; 0: it is exact

  bool reaches_out() const;  // of the input, into padding
  bool shows_reach() const;  // all of it is in the view
  // The size of the drawing in pixels.
  double drawn_width() const;
  double drawn_height() const;
};

struct CellField {
  std::vector<Plane> planes;  // none for inputs without spatial dimensions
  std::string words;          // "rows 0-34 and columns 0-34"
  bool exact = true;
};

// `report` must be that of the network. Throws the errors of one_cell() and dependence().
CellField field_of(const Network& network, const Report& report, int node, const std::vector<int64_t>& cell);

// The inside of an svg element whose viewBox is `plane.view`: input, picture, field, reach. `id` must be unique in the document. `between`
// is put between the input and the field.
std::string plane_drawing(const Plane& plane, const std::string& picture_href, const std::string& id, const std::string& between = {});

// Lines between cells, if there are few enough of them to be told apart.
std::string grid_path(int64_t rows, int64_t cols);

}  // namespace tidepool::inline v0_1::analyze
