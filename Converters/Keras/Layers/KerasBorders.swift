import MLCCore
import MLCGraph
import MLCOps

/// Zeros around the spatial axes.
package struct KerasZeroPadding: KerasLayer {
  package static let classNames = ["ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    try context.spatially(call) { (context, x, rank) throws(Diagnostic) in
      let pairs = try call.config.pairs("padding", count: rank)
      guard pairs.allSatisfy({ $0.before >= 0 && $0.after >= 0 }) else {
        throw KerasConfig.wrong("padding", "is negative")
      }
      let amounts = context.constant(ints: pairs.flatMap { [$0.before, $0.after] }, "pad")
      return try context.emit(Pad(mode: "constant"), x, amounts, context.scalar(0, like: x))
    }
  }
}

/// Elements taken away from both ends of the spatial axes.
package struct KerasCropping: KerasLayer {
  package static let classNames = ["Cropping1D", "Cropping2D", "Cropping3D"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    try context.spatially(call) { (context, x, rank) throws(Diagnostic) in
      try cropped(x, try call.config.pairs("cropping", count: rank), &context)
    }
  }

  /// `x` without so many elements before and after on each spatial axis. Throws `keras.config`.
  static func cropped(
    _ x: ValueID,
    _ pairs: [(before: Int, after: Int)],
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    for (axis, pair) in pairs.enumerated() {
      let extent = context.fact(x).shape[axis + 2]
      guard pair.before >= 0, pair.after >= 0, extent.constant.map({ $0 >= pair.before + pair.after }) ?? true else {
        throw KerasConfig.wrong("cropping", "takes \(pair.before) and \(pair.after) of an extent of \(extent)")
      }
    }
    let begin = context.constant(ints: [0, 0] + pairs.map { $0.before }, "begin")
    let end = context.constant(ints: [0, 0] + pairs.map { -$0.after }, "end")
    let op = SliceByIndex(
      beginMask: [true, true] + pairs.map { _ in false },
      endMask: [true, true] + pairs.map { $0.after == 0 }
    )
    return try context.emit(op, x, begin, end)
  }
}

/// `CenterCrop`: the middle of an image, the odd element behind it. Images that are smaller would be resized, which mlc
/// does not do.
package struct KerasCenterCrop: KerasLayer {
  package static let classNames = ["CenterCrop"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let size = [try call.config.int("height"), try call.config.int("width")]
    return try context.spatially(call) { (context, x, _) throws(Diagnostic) in
      var pairs: [(before: Int, after: Int)] = []
      for (extent, wanted) in zip(context.fact(x).shape[2...], size) {
        guard let extent = extent.constant, wanted > 0, extent >= wanted else {
          throw Diagnostic("keras.option", "it crops \(extent) elements to \(wanted)", kind: .unsupported)
        }
        let before = (extent - wanted) / 2
        pairs.append((before, extent - wanted - before))
      }
      return try KerasCropping.cropped(x, pairs, &context)
    }
  }
}
