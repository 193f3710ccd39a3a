import MLCCore
import MLCGraph
import MLCOps

/// `Crop` of models before ONNX 1.5, as onnxruntime reads it: `x: [N, C, H, W]` without `border` elements at the left,
/// the top, the right and the bottom; with `scale`, a height and a width, as many from the left and the top on.
package enum ONNXCrop: ONNXOperator {
  package static let types = ["Crop"]
  package static var note: String { "of models before ONNX 1.5" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let (border, size) = (try node.ints("border") ?? [], try node.ints("scale"))
    guard context.fact(x).rank == 4, border.count == 4, size == nil || size?.count == 2,
      (border + (size ?? [])).allSatisfy({ 0...1 << 31 ~= $0 })
    else { throw Diagnostic("onnx.experimental", "'border' and 'scale' of Crop do not fit \(context.fact(x).type)") }
    var y = x
    for (axis, first, last) in [(2, border[1], border[3]), (3, border[0], border[2])] {
      let end = size.map { first + $0[axis - 2] } ?? (last == 0 ? nil : -last)
      if let end, let extent = context.fact(x).shape[axis].constant, end > extent || first - min(end, 0) > extent {
        throw Diagnostic("onnx.experimental", "Crop leaves the \(extent) elements of axis \(axis)")
      }
      y = try context.slice(y, axis: axis, from: first, to: end)
    }
    return [y]
  }
}
