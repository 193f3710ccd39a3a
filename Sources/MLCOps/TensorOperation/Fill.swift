import MLCCore
import MLCGraph

/// A tensor of one value: `shape: int[R]`, `value: T[]` → `y: T[*shape]`.
///
/// Throws `fill.shape` for a negative extent, `fill.rank` when R is unknown, `fill.size` beyond memory.
/// Source: MIL `fill`, ONNX `ConstantOfShape`.
package struct Fill: Operator {
  package static let schema = Schema<Fill>("fill", [.input("shape", rank: 1...1), .input("value", rank: 0...0)])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (shape, value) = (inputs["shape"], inputs["value"])
    let target = try inputs.target(shape, "fill", "shape")
    let type = TensorType(value.dtype, target)
    guard let count = type.staticShape?.checkedProduct, count <= Fact.elementLimit, let element = value.elements else {
      return [Fact(type)]
    }
    return [.known(type, [Dim](repeating: element[0], count: count))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (shape, value) = (inputs["shape"].integers, inputs["value"])
    guard shape.allSatisfy({ $0 >= 0 }) else { throw Diagnostic("fill.shape", "\(shape) has a negative extent") }
    try checkSize(value.dtype, shape, "fill")
    return [value.picking([Int](repeating: 0, count: shape.checkedProduct!), shape)]
  }
}
