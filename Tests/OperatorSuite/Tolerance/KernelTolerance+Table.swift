extension KernelTolerance {
  /// What the operators of each group are granted.
  static let groups: [String: KernelTolerance] = [
    "Activation": KernelTolerance(4, of: .element),
    "Constexpr": KernelTolerance(1, of: .element),
    "ControlFlow": KernelTolerance(0, of: .element),
    "Conv": KernelTolerance(8, of: .terms),
    "ElementwiseBinary": KernelTolerance(0, of: .element),
    "ElementwiseUnary": KernelTolerance(4, of: .element),
    "ImageResizing": KernelTolerance(16, of: .operands),
    "Linear": KernelTolerance(8, of: .terms),
    "Normalization": KernelTolerance(16, of: .operands),
    "Pool": KernelTolerance(0, of: .element),
    "Recurrent": KernelTolerance(32, of: .operands),
    "Reduction": KernelTolerance(8, of: .terms),
    "ScatterGather": KernelTolerance(0, of: .element),
    "TensorOperation": KernelTolerance(0, of: .element),
    "TensorTransformation": KernelTolerance(0, of: .element),
    "Text": KernelTolerance(0, of: .element),
    "Transformers": KernelTolerance(16, of: .operands),
    "TreeEnsembles": KernelTolerance(0, of: .element),
  ]

  /// What single operators are granted instead.
  static let operators: [(KernelTolerance, [String])] = [
    // Elements of the operands, and what rounds once.
    (
      KernelTolerance(0, of: .element),
      [
        "abs", "bit_cast", "bitwise_not", "cast", "ceil", "clip", "constexpr_cast", "constexpr_lut_to_dense",
        "constexpr_lut_to_sparse", "constexpr_sparse_to_dense", "floor", "is_inf", "is_nan", "logical_not", "neg",
        "reduce_argmax", "reduce_argmin", "reduce_max", "reduce_min", "relu", "relu6", "round", "sign", "square",
        "thresholded_relu",
      ]
    ),
    // A division, a root, a product with a number that fp32 rounds.
    (
      KernelTolerance(1, of: .element),
      ["floor_div", "inverse", "leaky_relu", "mod", "prelu", "real_div", "rsqrt", "softsign", "sqrt"]
    ),
    (KernelTolerance(4, of: .element), ["pow"]),
    (KernelTolerance(8, of: .element), ["local_response_norm", "reduce_l2_norm", "reduce_prod"]),
    (
      KernelTolerance(4, of: .unit),
      ["log_softmax", "reduce_log_sum", "reduce_log_sum_exp", "sigmoid_hard", "softplus"]
    ),
    // A product with a sum that may be near zero.
    (KernelTolerance(4, of: .operands), ["gelu", "mish", "range_1d"]),
    (KernelTolerance(8, of: .terms), ["avg_pool", "cumsum"]),
    // Sums into one element.
    (KernelTolerance(16, of: .operands), ["scatter_along_axis", "scatter_nd"]),
  ]
}
