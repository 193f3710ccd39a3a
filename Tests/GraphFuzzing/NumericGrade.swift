import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps

/// How far a value of the reference may lie from that of other right code, which rounds elsewhere.
///
/// Inputs of cases are small multiples of a power of two, so that sums of products of them are exact in any order. What
/// follows from rounded numbers by a jump (a comparison, a conversion to integers) or on a steep place (a quotient, a
/// root) may differ by anything.
enum NumericGrade: Int, Comparable {
  /// The same in any code.
  case exact
  /// Sums of products of exact numbers: the same still in any order, but products of them may not be.
  case summed
  /// Near the same.
  case rounded
  /// Anything.
  case unstable

  static func < (a: NumericGrade, b: NumericGrade) -> Bool { a.rawValue < b.rawValue }

  /// How far an output of this grade may lie from the reference's, where others may by `derived`; `nil` where it is not
  /// compared.
  func tolerance(derived: Tolerance) -> Tolerance? {
    switch self {
    case .exact: .exact
    case .summed, .rounded: derived
    case .unstable: nil
    }
  }

  /// Whether a small change of an operand may change the result of `operation` by a jump.
  static func jumps(_ operation: Operation) -> Bool { jumping.contains(operation.name) }

  /// Whether results may be larger than every operand.
  static func computes(_ operation: Operation) -> Bool {
    ["add", "sub"].contains(operation.name) || !moving.contains(operation.name)
  }

  /// The grade of each output. Nothing is exact where values have 16 bits: code rounds less often than the reference.
  static func ofOutputs(_ function: Function) -> [NumericGrade] {
    let hasHalves = function.values.contains { $0.fact.dtype.isFloat && $0.fact.dtype.bitWidth == 16 }
    var grades = [NumericGrade](repeating: .exact, count: function.values.count)
    for operation in function.body.operations {
      // Blocks see what is defined before them, too.
      let used = operation.inputs.joined() + operation.blocks.flatMap { $0.uses }
      let given = used.map { (grades[$0.index], function.type($0).dtype.isFloat) }
      let isHalf = operation.inputs.joined().contains { function.type($0).dtype.bitWidth == 16 }
      let sumsExactly = !isHalf && !isFiltering(operation, function)
      let grade = of(operation, given.map { $0.0 }, sumsExactly, given.contains { $0.1 })
      for output in operation.outputs { grades[output.index] = grade }
    }
    return function.outputs.map { hasHalves ? max(.rounded, grades[$0.index]) : grades[$0.index] }
  }

  private static func of(
    _ operation: Operation,
    _ inputs: [NumericGrade],
    _ sumsExactly: Bool,
    _ hasFloats: Bool
  ) -> NumericGrade {
    let most = inputs.max() ?? .exact
    if most == .unstable { return .unstable }
    if !operation.blocks.isEmpty { return most == .exact ? .rounded : .unstable }
    let name = operation.name
    if !hasFloats || moving.contains(name) { return most }
    if jumping.contains(name) { return most == .rounded ? .unstable : .exact }
    if steep.contains(name) { return most == .exact ? .rounded : .unstable }
    if name == "cast" { return cast(operation.op, most) }
    if name == "mul" { return inputs.count { $0 != .exact } > 1 ? .rounded : most }
    if summing.contains(name) { return most == .exact && sumsExactly ? .summed : .rounded }
    return .rounded
  }

  /// Whether minimal filtering may compute a convolution: it multiplies by numbers that floats only come near to. It
  /// takes filters of 3×3, which other extents come down to, too, such as 6×6 with strides of 2.
  private static func isFiltering(_ operation: Operation, _ function: Function) -> Bool {
    guard ["conv", "conv_transpose"].contains(operation.name), operation.inputs.count > 1 else { return false }
    guard let weights = operation.inputs[1].first else { return false }
    return function.type(weights).shape.dropFirst(2).count { $0.constant.map { $0 > 2 } ?? true } > 1
  }

  private static func cast(_ op: any Operator, _ given: NumericGrade) -> NumericGrade {
    guard let cast = op as? Cast else { return .unstable }
    if cast.dtype.isFloat { return cast.dtype.bitWidth == 16 && given != .exact ? .rounded : given }
    return given == .rounded ? .unstable : .exact
  }

  /// Results are elements of the operands, or of the sum or difference of two of one size.
  private static let moving: Set<String> = [
    "abs", "add", "band_part", "broadcast_to", "clip", "concat", "const", "depth_to_space", "expand_dims", "fill",
    "gather", "gather_along_axis", "gather_nd", "identity", "max_pool", "maximum", "minimum", "neg", "pad",
    "pixel_shuffle", "pixel_unshuffle", "reduce_max", "reduce_min", "relu", "relu6", "reshape", "reverse",
    "scatter_along_axis", "select", "shape", "slice_by_index", "space_to_depth", "split", "squeeze", "sub", "tile",
    "transpose", "trilu",
  ]
  private static let summing: Set<String> = [
    "conv", "conv_transpose", "cumsum", "linear", "matmul", "reduce_l1_norm", "reduce_sum", "reduce_sum_square",
    "square",
  ]
  private static let jumping: Set<String> = [
    "bit_cast", "ceil", "equal", "floor", "floor_div", "greater", "greater_equal", "is_inf", "is_nan", "less",
    "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "mod", "non_max_suppression", "non_zero",
    "not_equal", "one_hot",
    "reduce_argmax", "reduce_argmin", "round", "sign", "thresholded_relu", "topk",
  ]
  private static let steep: Set<String> = [
    "acos", "acosh", "asin", "atanh", "cumprod", "inverse", "log", "pow", "real_div", "reduce_log_sum", "reduce_prod",
    "rsqrt", "sqrt", "tan",
  ]
}
