import MLCCore
import MLCGraph
import MLCOps

/// ONNX `CenterCropPad` → `pad`, by negative amounts where it crops. Of an odd difference the greater part is behind.
package enum ONNXCenterCropPad: ONNXOperator {
  package static let types = ["CenterCropPad"]
  package static var sinceOpset: Int { 18 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let shape = context.fact(x).shape
    guard let sizes = try context.constant(1, "shape")?.integers else {
      throw Diagnostic("onnx.missing-input", "input 1 is required")
    }
    let axes = try normalized(axes: try node.ints("axes") ?? Array(shape.indices), rank: shape.count, "center_crop_pad")
    guard axes.count == sizes.count, sizes.allSatisfy({ 0..<(1 << 40) ~= $0 }) else {
      throw Diagnostic("onnx.center-crop-pad", "\(sizes) are no sizes for \(axes.count) axes")
    }
    if axes.isEmpty { return [try context.emit(Identity(), x)] }
    let known = zip(axes, sizes).compactMap { axis, size in shape[axis].constant.map { (axis, size - $0) } }
    guard known.count < axes.count else {
      var amounts = [Int](repeating: 0, count: 2 * shape.count)
      for (axis, amount) in known { (amounts[2 * axis], amounts[2 * axis + 1]) = (amount / 2, amount - amount / 2) }
      return [try context.emit(Pad(mode: "constant"), x, context.constant(ints: amounts, "pad"))]
    }
    let have = try context.emit(
      Gather(axis: 0),
      try context.emit(Shape(dtype: .int64), x),
      context.constant(ints: axes)
    )
    let whole = try context.emit(Sub(), context.constant(ints: sizes), have)
    let before = try context.emit(RealDiv(), whole, context.constant(.scalar(.int64, 2)))
    let parts = [before, try context.emit(Sub(), whole, before), context.constant(ints: [0])]
    let places = shape.indices.flatMap { axis in
      axes.firstIndex(of: axis).map { [$0, axes.count + $0] } ?? [2 * axes.count, 2 * axes.count]
    }
    let amounts = try context.emit(Gather(axis: 0), try context.concat(parts, axis: 0), context.constant(ints: places))
    return [try context.emit(Pad(mode: "constant"), x, amounts)]
  }
}
