// The whole library. Interchange with other arrays is in dlpack.h, which needs DLPack's own header.
#pragma once

#include "tidepool/axis.h"
#include "tidepool/creation.h"
#include "tidepool/dtype.h"
#include "tidepool/error.h"
#include "tidepool/executor.h"
#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/half.h"
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/plan.h"
#include "tidepool/problem.h"
#include "tidepool/runtime.h"
#include "tidepool/tensor.h"
