import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Flatten` → `reshape` to the product of the axes before `axis` and that of the others.
package enum ONNXFlatten: ONNXOperator {
  package static let types = ["Flatten"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let shape = context.fact(x).shape
    let axis = try node.int("axis", default: 1)
    guard (-shape.count...shape.count).contains(axis) else {
      throw Diagnostic("onnx.flatten", "axis \(axis) does not exist; the tensor has rank \(shape.count)")
    }
    return [try context.flattened(x, at: axis < 0 ? axis + shape.count : axis)]
  }
}

extension ONNXContext {
  /// `x` as a matrix: the axes before `split` as one, the others as another.
  mutating func flattened(_ x: ValueID, at split: Int) throws(Diagnostic) -> ValueID {
    try emit(Reshape(allowZero: true), x, try target(x, split))
  }

  /// Numbers where the shape is known, else one of the two products left to -1, else both computed.
  private mutating func target(_ x: ValueID, _ split: Int) throws(Diagnostic) -> ValueID {
    let shape = fact(x).shape
    let rows = shape[..<split].reduce(1, *).constant
    let columns = shape[split...].reduce(1, *).constant
    if let rows, let columns { return constant(ints: [rows, columns], "shape") }
    if let rows, rows > 0 { return constant(ints: [rows, -1], "shape") }
    if let columns, columns > 0 { return constant(ints: [-1, columns], "shape") }
    let before = try emit(Shape(end: split, dtype: .int64), x)
    let after = try emit(Shape(start: split, dtype: .int64), x)
    let left = try emit(ReduceProd(axes: [0], keepDims: true), before)
    let right = try emit(ReduceProd(axes: [0], keepDims: true), after)
    return try emit(Concat(axis: 0), all: [[left, right]])[0]
  }
}
