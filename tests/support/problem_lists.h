// Problems with enough work for several threads, of every op, pass and kind of windows.
#pragma once

namespace tidepool::test {

inline constexpr const char* large_problems[] = {
    "max2d fwd f32 nchw 4x16x56x56 k3 s2 p1",
    "max2d fwd f32 nhwc 4x16x56x56 k3 s2 p1",
    "max2d fwd f32 nchw 1x1x300x300 k2 s2",
    "max2d fwd f64 nchw 2x8x64x64 k17 s1 p8",
    "max2d fwd u8 nchw 2x8x128x128 k3 s1 p1",
    "max2d fwd f16 nhwc 2x40x33x33 k3 s2 idx=plane",
    "max3d fwd f32 ncdhw 1x4x20x20x20 k3 s1 p1",
    "min1d fwd i32 ncl 3x5x10000 k5 s3 idx=window",
    "max2d fwd f32 strided 2x8x64x64 k3 s2 p1 idx=tensor",
    "max2d bwd f32 nchw 4x16x56x56 k3 s2 p1",
    "max2d bwd f32 nhwc 4x16x56x56 k3 s1 p1",
    "max2d bwd bf16 nchw 2x8x64x64 k5 s1 p2 idx=window",
    "max3d bwd f64 ndhwc 1x4x20x20x20 k3 s1 p1",
    "max2d bwd f32 nchw 1x1x256x256 k3 s1 p1",
    "min2d bwd f32 nhwc 2x8x64x64 k3 s2 p1 idx=window",
    "max2d bwd2 f32 nchw 4x16x56x56 k3 s2 p1",
    "max2d bwd2 f16 nhwc 4x16x56x56 k3 s2 idx=window",
    // bins
    "max2d fwd f32 nchw 2x16x40x40 out=7 idx=plane",
    "max2d bwd f32 nhwc 2x16x40x40 out=7 idx=window",
    "avg2d fwd f16 nhwc 2x40x33x33 out=7",
    "avg2d fwd f32 nchw 8x64x14x14 out=1",
    // whole planes, added up in parts
    "avg2d fwd f32 nchw 2x19x17x19 out=1",
    "avg2d fwd f32 nhwc 2x19x17x19 out=1",
    "avg2d fwd f64 nhwc 1x300x16x17 out=1",
    "sum2d fwd f16 nchw 2x19x33x33 out=1",
    "avg3d fwd bf16 ndhwc 2x40x7x9x11 out=1",
    "avg2d fwd f32 strided 2x8x40x40 out=1",
    "avg2d bwd2 f32 nchw 3x7x40x40 out=1",
    "avg2d bwd f32 nchw 4x32x28x28 out=1",
    "avg2d bwd f64 nhwc 2x16x40x40 out=7",
    // fractional windows
    "max2d fwd f32 nchw 2x16x40x40 k3 out=17 idx=plane",
    "max2d fwd i16 nhwc 2x16x40x40 k3 out=17",
    "max2d bwd f64 nhwc 2x16x40x40 k3 out=17 idx=window",
    "max2d bwd2 f32 nchw 2x16x40x40 k3 out=17 idx=plane",
    // averages and sums
    "avg2d fwd f32 nchw 4x16x56x56 k3 s2 p1",
    "avg2d fwd f32 nhwc 4x16x56x56 k3 s1 p1 div=valid",
    "avg2d fwd u8 nchw 2x8x64x64 k2 round=even",
    "avg2d fwd f32 nchw 2x8x64x64 k12 s1 p5",
    "avg2d fwd f64 nhwc 2x8x48x48 k9 s1 p4",
    "avg2d fwd f32 strided 2x8x64x64 k3 s2 p1",
    "avg2d bwd f32 nchw 4x16x56x56 k3 s2 p1",
    "avg2d bwd bf16 nhwc 2x16x32x32 k3 s1 p1",
    "avg3d bwd2 f64 ncdhw 1x4x16x16x16 k3 s1 p1",
    "sum2d fwd i32 nchw 2x8x64x64 k3 s1",
    "sum1d bwd f64 nlc 3x8x4000 k5 s2",
    // norms
    "lp2d fwd f32 nchw 2x8x48x48 k3 s2 p1 p=2",
    "lp2d fwd f32 nhwc 2x32x24x24 k3 s1 p=1",
    "lp2d fwd f64 nchw 2x8x32x32 k3 s2 p=3",
    "lp2d bwd f32 nchw 2x8x32x32 k3 s2 p1 p=2",
    "lp2d bwd2 f64 nhwc 2x8x24x24 k2 p=3",
    "lp2d bwd2x f32 nchw 2x8x24x24 k2 p=2",
    // unpooling
    "unpool2d fwd f32 nchw 4x16x28x28 k2 idx=plane",
    "unpool2d fwd u8 nhwc 2x64x28x28 k2 idx=window",
    "unpool2d bwd f32 nchw 4x16x28x28 k2 idx=plane",
    "unpool3d bwd2 f64 ndhwc 1x4x10x10x10 k2 idx=tensor",
};

// One image: only its channels can be split among threads.
inline constexpr const char* one_image_problems[] = {
    "avg2d fwd f32 nhwc 1x128x64x64 out=1", "max2d fwd f32 nhwc 1x192x48x64 out=1 idx=tensor",
    "max2d fwd u8 nhwc 1x256x64x64 out=2x1 idx=window", "lp2d fwd f64 nhwc 1x64x64x64 out=1 p=2"};

}  // namespace tidepool::test
