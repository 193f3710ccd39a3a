import MLCCore
import MLCGraph
import MLCOps

/// Spatial axes `size` times as long, elements repeated or interpolated.
package struct KerasUpSampling: KerasLayer {
  package static let classNames = ["UpSampling1D", "UpSampling2D", "UpSampling3D"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    var op = try Resize(keras: call.config, default: "nearest")
    // By whole factors that is the same, and Core ML says it so.
    if op.mode == "nearest" { (op.coordinateMode, op.nearestMode) = ("asymmetric", "floor") }
    return try context.spatially(call) { (context, x, rank) throws(Diagnostic) in
      let size = try call.config.ints("size", count: rank) ?? [Int](repeating: 2, count: rank)
      guard size.allSatisfy({ $0 > 0 && $0 <= 1 << 16 }) else { throw KerasConfig.wrong("size", "is not positive") }
      op.axes = Array(2..<rank + 2)
      let scales = context.constant(Tensor([rank], floats: size.map { Float($0) }), "scales")
      return try context.emit(op, x, nil, scales)
    }
  }
}

/// `Resizing`: images of any size brought to one, elements taken or interpolated.
package struct KerasResizing: KerasLayer {
  package static let classNames = ["Resizing"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let size = [try call.config.int("height"), try call.config.int("width")]
    guard size.allSatisfy({ $0 > 0 && $0 <= 1 << 16 }) else { throw KerasConfig.wrong("height", "is not positive") }
    for key in ["crop_to_aspect_ratio", "pad_to_aspect_ratio", "antialias"]
    where try call.config.bool(key, default: false) {
      throw Diagnostic("keras.option", "\(key) is not supported", kind: .unsupported)
    }
    var op = try Resize(keras: call.config, default: "bilinear")
    op.axes = [2, 3]
    return try context.spatially(call) { (context, x, _) throws(Diagnostic) in
      try context.emit(op, x, context.constant(ints: size, "sizes"))
    }
  }
}

extension Resize {
  /// Pixels have their centres in the middle, as in TensorFlow 2. Throws `keras.option`.
  fileprivate init(keras config: KerasConfig, default interpolation: String) throws(Diagnostic) {
    self.init()
    switch try config.string("interpolation", default: interpolation) {
    // ⌊(o + ½) · input / output⌋
    case "nearest": (mode, nearestMode) = ("nearest", "round_prefer_ceil")
    case "bilinear": mode = "linear"
    case let other:
      throw Diagnostic("keras.option", "the interpolation '\(other)' is not supported", kind: .unsupported)
    }
  }
}
