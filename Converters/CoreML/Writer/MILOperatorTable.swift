import MLCCore

/// What MIL says of an operator, as far as it decides whether Apple's loader takes a use.
struct MILOperator {
  let name: String
  /// Element types of the first operand; empty takes any.
  let types: Set<DType>
  /// Those from iOS 17 on.
  var later: Set<DType> = []
  var since = CoreMLWriteOptions.DeploymentTarget.iOS15
  /// Operands that must be constants.
  var constants: [String] = []
  /// Operands that must be constants before iOS 17.
  var earlierConstants: [String] = []

  /// What a compressed constant may hold once it is expanded.
  static let constantTypes: Set<DType> = [.float16, .float32, .int4, .uint4, .int8, .uint8, .uint1]

  static func named(_ name: String) -> MILOperator? { byName[name] }
  private static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0) })

  private static let floats: Set<DType> = [.float16, .float32]
  private static let numbers: Set<DType> = [.float16, .float32, .int32]
  private static let all: Set<DType> = [.float16, .float32, .int32, .bool]
  private static let small: Set<DType> = [.int8, .int16, .uint8, .uint16]

  private static func rows(_ types: Set<DType>, later: Set<DType> = [], _ names: [String]) -> [MILOperator] {
    names.map { MILOperator(name: $0, types: types, later: later) }
  }

  private static let table: [MILOperator] =
    rows(
      floats,
      [
        "acos", "asin", "atan", "atanh", "avg_pool", "ceil", "clip", "cos", "cosh", "depth_to_space", "elu", "erf",
        "exp",
        "floor", "gelu", "inverse", "leaky_relu", "local_response_norm", "log", "max_pool", "pixel_shuffle", "relu",
        "relu6", "resize_bilinear", "resize_nearest_neighbor", "round", "rsqrt", "sigmoid", "sigmoid_hard", "silu",
        "sin", "sinh", "softmax",
        "softplus", "softsign", "space_to_depth", "sqrt", "tan", "tanh", "thresholded_relu", "upsample_bilinear",
        "upsample_nearest_neighbor",
      ]
    )
    + rows(
      numbers,
      [
        "abs", "add", "cumsum", "equal", "exp2", "floor_div", "greater", "greater_equal", "less", "less_equal",
        "matmul",
        "maximum", "minimum", "mod", "mul", "not_equal", "pow", "range_1d", "real_div", "reduce_argmax",
        "reduce_argmin",
        "reduce_l1_norm", "reduce_l2_norm", "reduce_log_sum", "reduce_log_sum_exp", "reduce_max", "reduce_mean",
        "reduce_min", "reduce_prod", "reduce_sum", "reduce_sum_square", "scatter_along_axis", "scatter_nd", "sign",
        "square", "sub",
      ]
    )
    + rows(numbers, later: small, ["gather", "gather_along_axis", "gather_nd"])
    + rows(all, ["band_part", "concat", "non_zero", "shape", "split", "tile"])
    + rows(all, later: small, ["cast", "expand_dims", "reshape", "reverse", "squeeze", "transpose"])
    + rows([.bool], ["logical_and", "logical_not", "logical_or", "logical_xor", "cond"])
    + rows([], ["fill", "identity", "one_hot", "while_loop"])
    + [
      MILOperator(name: "batch_norm", types: floats, constants: ["mean", "variance", "gamma", "beta"]),
      MILOperator(name: "conv", types: floats, earlierConstants: ["bias"]),
      MILOperator(name: "conv_transpose", types: floats, constants: ["weight", "bias"]),
      MILOperator(name: "gru", types: floats, constants: ["weight_ih", "weight_hh", "bias"]),
      MILOperator(name: "instance_norm", types: floats, constants: ["gamma", "beta"]),
      MILOperator(name: "layer_norm", types: floats, constants: ["gamma", "beta"]),
      MILOperator(name: "linear", types: numbers, constants: ["weight", "bias"]),
      MILOperator(
        name: "lstm",
        types: floats,
        constants: [
          "weight_ih", "weight_hh", "bias", "peephole", "weight_ih_back", "weight_hh_back", "bias_back",
          "peephole_back",
        ]
      ),
      MILOperator(name: "pad", types: floats, constants: ["pad", "constant_val"]),
      MILOperator(name: "prelu", types: floats, constants: ["alpha"]),
      MILOperator(name: "rnn", types: floats, constants: ["weight_ih", "weight_hh", "bias"]),
      MILOperator(name: "scaled_dot_product_attention", types: floats, since: .iOS18),
      MILOperator(name: "select", types: [.bool]),
      MILOperator(name: "slice_by_index", types: all, later: small, constants: ["stride"]),
      MILOperator(name: "topk", types: numbers, later: small, constants: ["k"]),
    ]
}
