import MLCCore
import MLCGraph

/// `x` repeated to `shape` by broadcasting: `x: T[*S]`, `shape: int[R]` → `y: T[*broadcast(S, shape)]`. An extent of 1
/// in `shape` keeps the extent of `x`.
///
/// Throws `broadcast.shape`, `broadcast_to.rank` when R is unknown, `broadcast_to.shape` for a negative extent.
/// Source: mlc extension, ONNX `Expand`.
package struct BroadcastTo: Operator {
  package static let schema = Schema<BroadcastTo>("broadcast_to", [.input("x"), .input("shape", rank: 1...1)])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    let target = try inputs.target(inputs["shape"], "broadcast_to", "shape")
    if inputs["shape"].elements == nil { return [Fact(x.dtype, try partly(x.shape, target, inputs["shape"]))] }
    let shape = try Broadcast.shape([x.shape, target])
    let order = { Broadcast.indices(from: x.type.staticShape ?? [], to: shape.compactMap { $0.constant }) }
    return [x.picking(order, shape)]
  }

  /// The result's shape where not every extent of the target is known.
  private func partly(_ own: [Dim], _ target: [Dim], _ shape: Fact) throws(Diagnostic) -> [Dim] {
    var result = own.dropLast(target.count) + target
    for (number, axis) in (result.count - target.count..<result.count).enumerated() {
      guard axis - (result.count - own.count) >= 0, shape.numbers?[number].whole != nil else { continue }
      result[axis] = try Broadcast.shape([[own[axis - (result.count - own.count)]], [target[number]]])[0]
    }
    return Array(result)
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, target) = (inputs["x"], inputs["shape"].integers)
    guard target.allSatisfy({ $0 >= 0 }) else {
      throw Diagnostic("broadcast_to.shape", "\(target) has a negative extent")
    }
    let shape = try Broadcast.shape([x.shape, target])
    try checkSize(x.dtype, shape, "broadcast_to")
    return [x.picking(Broadcast.indices(from: x.shape, to: shape), shape)]
  }
}
