import MLCCore
import MLCGraph
import MLCOps

/// How ONNX rounds to floats of eight bits.
struct ONNXSmallFloatRounding {
  enum Mode: String, CaseIterable { case up, down, nearest }

  /// Whether numbers beyond the largest become it.
  var saturates = true
  /// Between powers of two, which `float8e8m0` consists of.
  var mode = Mode.up

  init() {}

  /// As the attributes `saturate` and `round_mode` of `Cast` and `CastLike` say. Throws `onnx.cast`.
  init(_ node: ONNXNode) throws(Diagnostic) {
    saturates = try node.int("saturate", default: 1) != 0
    let name = try node.string("round_mode", default: "up")
    guard let mode = Mode(rawValue: name) else {
      throw Diagnostic("onnx.cast", "round_mode is '\(name)', not one of \(Mode.allCases.map(\.rawValue))")
    }
    self.mode = mode
  }
}

extension ONNXContext {
  /// `x` as elements of `dtype`, by `rounding` where that is a float of eight bits.
  ///
  /// `cast` rounds to nearest and does not saturate: numbers are clipped before, and powers of two that were rounded
  /// the other way are doubled or halved.
  mutating func cast(_ x: ValueID, to dtype: DType, _ rounding: ONNXSmallFloatRounding) throws(Diagnostic) -> ValueID {
    let given = fact(x).dtype
    guard let format = dtype.smallFloat, given != dtype, given != .string else { return try emit(Cast(dtype), x) }
    let isWide = given == .float64 || given.isInteger && given.bitWidth > 16
    var value = try cast(x, to: isWide ? .float64 : .float32)
    if rounding.saturates, format.overflow != format.largest {
      let greatest = format.greatestFiniteMagnitude
      value = try emit(Clip(alpha: format.isSigned ? -greatest : format.leastMagnitude, beta: greatest), value)
    }
    let rounded = try emit(Cast(dtype), value)
    if format.isSigned || rounding.mode == .nearest { return rounded }
    let near = try cast(rounded, to: fact(value).dtype)
    let isUp = rounding.mode == .up
    let wrong = isUp ? try emit(Greater(), value, near) : try emit(Less(), value, near)
    let other = try scaled(near, by: isUp ? 2 : 0.5)
    return try emit(Cast(dtype), try emit(Select(), wrong, other, near))
  }
}
