import MLCPasses

extension PassCase {
  static let fuseConvBatchNorm: [PassCase] = [
    PassCase(
      FuseConvBatchNorm(),
      "conv",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %m = const {val = fp32[2](0.5, -1.0)}
          %v = const {val = fp32[2](1.0, 0.25)}
          %g = const {val = fp32[2](1.5, -1.0)}
          %b = const {val = fp32[2](0.0, 1.0)}
          %w = const {val = fp32[2, 2, 2, 1](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %c = conv(x = %x, weight = %w) loc(node "Conv_0" op "Conv")
          %y = batch_norm(x = %c, mean = %m, variance = %v, gamma = %g, beta = %b) {epsilon = 0.0} loc(node "BN_0" \
        op "BatchNormalization")
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %weight = const {val = fp32[2, 2, 2, 1](0.75, -0.375, 1.5, 3.0, -0.25, 3.0, -2.0, 2.0)} : fp32[2, 2, 2, 1] \
        loc(node "BN_0" op "BatchNormalization")
          %bias = const {val = fp32[2](-0.75, -1.0)} : fp32[2] loc(node "BN_0" op "BatchNormalization")
          %y = conv(x = %x, weight = %weight, bias = %bias) : fp32[1, 2, 2, 3] loc(node "Conv_0" op "Conv")
        }
        """
    ),
    PassCase(
      FuseConvBatchNorm(),
      "grouped-conv",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %m = const {val = fp32[2](0.5, -1.0)}
          %v = const {val = fp32[2](1.0, 0.25)}
          %g = const {val = fp32[2](1.5, -1.0)}
          %b = const {val = fp32[2](0.0, 1.0)}
          %w = const {val = fp32[2, 1, 2, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %c = conv(x = %x, weight = %w) {groups = 2, pad = [1, 1, 1, 1]} loc(node "Conv_0" op "Conv")
          %y = batch_norm(x = %c, mean = %m, variance = %v, gamma = %g, beta = %b) {epsilon = 0.0} loc(node "BN_0" \
        op "BatchNormalization")
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %weight = const {val = fp32[2, 1, 2, 2](0.75, -0.375, 1.5, 3.0, -0.25, 3.0, -2.0, 2.0)} : fp32[2, 1, 2, 2] \
        loc(node "BN_0" op "BatchNormalization")
          %bias = const {val = fp32[2](-0.75, -1.0)} : fp32[2] loc(node "BN_0" op "BatchNormalization")
          %y = conv(x = %x, weight = %weight, bias = %bias) {pad = [1, 1, 1, 1], groups = 2} : fp32[1, 2, 4, 4] \
        loc(node "Conv_0" op "Conv")
        }
        """
    ),
    PassCase(
      FuseConvBatchNorm(),
      "conv-transpose",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %m = const {val = fp32[2](0.5, -1.0)}
          %v = const {val = fp32[2](1.0, 0.25)}
          %g = const {val = fp32[2](1.5, -1.0)}
          %b = const {val = fp32[2](0.0, 1.0)}
          %w = const {val = fp32[2, 2, 1, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %c = conv_transpose(x = %x, weight = %w) loc(node "Conv_0" op "Conv")
          %y = batch_norm(x = %c, mean = %m, variance = %v, gamma = %g, beta = %b) {epsilon = 0.0} loc(node "BN_0" \
        op "BatchNormalization")
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %weight = const {val = fp32[2, 2, 1, 2](0.75, -0.375, -2.0, -4.0, 0.1875, -2.25, -2.0, 2.0)} : fp32[2, 2, \
        1, 2] loc(node "BN_0" op "BatchNormalization")
          %bias = const {val = fp32[2](-0.75, -1.0)} : fp32[2] loc(node "BN_0" op "BatchNormalization")
          %y = conv_transpose(x = %x, weight = %weight, bias = %bias) : fp32[1, 2, 3, 4] loc(node "Conv_0" op "Conv")
        }
        """
    ),
    PassCase(
      FuseConvBatchNorm(),
      "grouped-conv-transpose",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %m = const {val = fp32[2](0.5, -1.0)}
          %v = const {val = fp32[2](1.0, 0.25)}
          %g = const {val = fp32[2](1.5, -1.0)}
          %b = const {val = fp32[2](0.0, 1.0)}
          %w = const {val = fp32[2, 1, 2, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %c = conv_transpose(x = %x, weight = %w) {groups = 2, strides = [2, 1]} loc(node "Conv_0" op "Conv")
          %y = batch_norm(x = %c, mean = %m, variance = %v, gamma = %g, beta = %b) {epsilon = 0.0} loc(node "BN_0" \
        op "BatchNormalization")
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %weight = const {val = fp32[2, 1, 2, 2](0.75, -0.375, 1.5, 3.0, -0.25, 3.0, -2.0, 2.0)} : fp32[2, 1, 2, 2] \
        loc(node "BN_0" op "BatchNormalization")
          %bias = const {val = fp32[2](-0.75, -1.0)} : fp32[2] loc(node "BN_0" op "BatchNormalization")
          %y = conv_transpose(x = %x, weight = %weight, bias = %bias) {strides = [2, 1], groups = 2} : fp32[1, 2, 6, \
        4] loc(node "Conv_0" op "Conv")
        }
        """
    ),
    PassCase(
      FuseConvBatchNorm(),
      "arithmetic",
      before: """
        func @main(%x: fp32[n, 2, 3, 3]) -> ("y" = %y) {
          %s = const {val = fp32[2, 1, 1](1.0, 2.0)}
          %t = const {val = fp32[1, 2, 1, 1](1.0, -2.0)}
          %b = const {val = fp32[2](0.0, 1.0)}
          %w = const {val = fp32[2, 2, 2, 1](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %a = conv(x = %x, weight = %w, bias = %b)
          %p = mul(x = %s, y = %a)
          %q = sub(x = %t, y = %p)
          %y = real_div(x = %q, y = %s)
        }
        """,
      after: """
        func @main(%x: fp32[n, 2, 3, 3]) -> ("y" = %y) {
          %weight_15 = const {val = fp32[2, 2, 2, 1](-0.5, 0.25, -1.0, -2.0, -0.125, 1.5, -1.0, 1.0)} : fp32[2, 2, \
        2, 1]
          %bias_16 = const {val = fp32[2](1.0, -2.0)} : fp32[2]
          %y = conv(x = %x, weight = %weight_15, bias = %bias_16) : fp32[n, 2, 2, 3]
        }
        """,
      sizes: ["n": 2]
    ),
    PassCase(
      FuseConvBatchNorm(),
      "linear",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %w = const {val = fp32[2, 4](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %s = const {val = fp32[2](2.0, -1.0)}
          %p = linear(x = %x, weight = %w)
          %y = mul(x = %p, y = %s)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %weight = const {val = fp32[2, 4](1.0, -0.5, 2.0, 4.0, -0.125, 1.5, -1.0, 1.0)} : fp32[2, 4]
          %y = linear(x = %x, weight = %weight) : fp32[n, 2]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      FuseConvBatchNorm(),
      "last-axis",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %t = const {val = fp32[2](1.0, -2.0)}
          %w = const {val = fp32[2, 2, 2, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0, 0.5, -0.25, 1.0, 2.0, \
        0.125, -1.5, 1.0, -1.0)}
          %a = conv(x = %x, weight = %w)
          %y = add(x = %a, y = %t)
        }
        """,
      after: nil
    ),
    PassCase(
      FuseConvBatchNorm(),
      "two-readers",
      before: """
        func @main(%x: fp32[1, 1, 3, 3]) -> ("y" = %y, "z" = %z) {
          %s = const {val = fp32[](2.0)}
          %w = const {val = fp32[2, 1, 2, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %b = conv(x = %x, weight = %w)
          %y = mul(x = %b, y = %s)
          %z = exp(x = %b)
        }
        """,
      after: nil
    ),
  ]
}
