// Everything about the analysis of networks: shapes, receptive fields, losses and costs.
#pragma once

#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/html.h"
#include "tidepool/analyze/layers.h"
#include "tidepool/analyze/network.h"
#include "tidepool/analyze/range_set.h"
#include "tidepool/analyze/rational.h"
#include "tidepool/analyze/report.h"
#include "tidepool/analyze/svg.h"
#include "tidepool/analyze/text.h"
