import MLCCore
import MLCGraph
import MLCOps

/// The arithmetic of an ONNX `Attention` on operands whose leading axes broadcast.
struct ONNXAttentionSteps {
  var query = ValueID(0), key = ValueID(0), value = ValueID(0)
  var mask: ONNXAttentionMask?
  /// The factor on products of queries and keys; `nil` is 1/√width.
  var scale: Double?
  private let cap: Double
  private let precision: DType?
  /// Which step the scores are the result of: 0 the product, 1 the cap, 2 the mask, 3 softmax.
  private let mode: Int

  /// Throws `onnx.attention`.
  init(_ node: ONNXNode, _ query: Fact) throws(Diagnostic) {
    scale = try node.float("scale").map { Double($0) }
    cap = Double(try node.float("softcap", default: 0))
    mode = try node.int("qk_matmul_output_mode", default: 0)
    precision = try node.int("softmax_precision").map { (code) throws(Diagnostic) in try ONNXDataType.dtype(code) }
    guard 0...3 ~= mode, cap >= 0, precision?.isFloat ?? true else {
      throw Diagnostic("onnx.attention", "softcap, softmax_precision or qk_matmul_output_mode is none that exists")
    }
  }

  /// The result, and the scores where they are wanted.
  func run(wantsScores: Bool, in context: inout ONNXContext) throws(Diagnostic) -> (ValueID, ValueID?) {
    let dtype = context.fact(query).dtype
    if !wantsScores, cap == 0, precision == nil || precision == dtype || precision == .float32 && dtype != .float64 {
      return (try whole(in: &context), nil)
    }
    let width = context.fact(query).shape.last?.constant ?? 0
    guard scale != nil || width > 0 else {
      throw Diagnostic("onnx.attention", "the width of the heads is not known", kind: .unsupported)
    }
    let factor = (scale ?? 1 / Double(width).squareRoot()).magnitude.squareRoot()
    let left = try context.scaled(query, by: (scale ?? 1) < 0 ? -factor : factor)
    let right = try context.scaled(key, by: factor)
    var steps = [try context.emit(MatMul(transposeY: true), left, right)]
    steps.append(try capped(steps[0], in: &context))
    steps.append(try masked(steps[1], in: &context))
    // A softmax without a key would be NaN, and its gradient too, whatever becomes of the row.
    let sharp = try context.cast(try guarded(steps[2], in: &context), to: precision ?? dtype)
    let weights = try context.cast(try context.emit(Softmax(axis: -1), sharp), to: dtype)
    steps.append(try guarded(weights, in: &context))
    return (try context.emit(MatMul(), steps[3], value), wantsScores ? steps[mode] : nil)
  }

  private func whole(in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    var query = query
    if let scale {
      guard let width = context.fact(query).shape.last?.constant else {
        throw Diagnostic("onnx.attention", "the width of the heads is not known", kind: .unsupported)
      }
      // The attribute is a float: it may miss what is meant by a rounding.
      let factor = scale * Double(width).squareRoot()
      query = try context.scaled(query, by: abs(factor - 1) < 0x1p-22 ? 1 : factor)
    }
    return try guarded(try context.emit(ScaledDotProductAttention(), query, key, value, mask?.scores), in: &context)
  }

  private func capped(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    if cap == 0 { return x }
    let bound = try context.number(cap, like: x)
    return try context.emit(Mul(), try context.emit(Tanh(), try context.emit(RealDiv(), x, bound)), bound)
  }

  private func masked(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    guard let mask else { return x }
    if context.fact(mask.scores).dtype != .bool { return try context.emit(Add(), x, mask.scores) }
    return try context.emit(Select(), mask.scores, x, try context.number(-.infinity, like: x))
  }

  /// 0 in rows without a key.
  private func guarded(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    guard let rows = mask?.rows else { return x }
    return try context.emit(Select(), rows, x, try context.number(0, like: x))
  }
}
