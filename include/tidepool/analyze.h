// Everything about the analysis of networks: shapes, receptive fields, losses and costs, and how they are shown.
#pragma once

#include "tidepool/analyze/cell.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/diff.h"
#include "tidepool/analyze/findings.h"
#include "tidepool/analyze/html.h"
#include "tidepool/analyze/json.h"
#include "tidepool/analyze/layers.h"
#include "tidepool/analyze/markdown.h"
#include "tidepool/analyze/network.h"
#include "tidepool/analyze/range_set.h"
#include "tidepool/analyze/rational.h"
#include "tidepool/analyze/report.h"
#include "tidepool/analyze/svg.h"
#include "tidepool/analyze/table.h"
#include "tidepool/analyze/text.h"
#include "tidepool/analyze/windows.h"
