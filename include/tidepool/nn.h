// Neural networks: layers, models and training. A separate library, tidepool::nn, because it needs oneDNN. See docs/nn.md.
#pragma once

#include "tidepool/nn/functional.h"
#include "tidepool/nn/layers.h"
#include "tidepool/nn/models.h"
#include "tidepool/nn/module.h"
#include "tidepool/nn/network_of.h"
#include "tidepool/nn/optim.h"
#include "tidepool/nn/pooling.h"
#include "tidepool/nn/prove.h"
#include "tidepool/nn/run_network.h"
#include "tidepool/nn/state_dict.h"
#include "tidepool/nn/weights.h"
#include "tidepool/tidepool.h"
