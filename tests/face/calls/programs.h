// The checks, one function per file.
#pragma once

namespace face {

void max_pool();
void min_pool();
void avg_pool();
void sum_pool();
void lp_pool();
void adaptive_pool();
void global_pool();
void fractional_max_pool();
void max_unpool();
void sizes();
void tensors();
void gradients();
void one_header();
void nn_pooling();
void nn_layers();

}  // namespace face
