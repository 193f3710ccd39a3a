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

  /// The result's shape where not every extent of the target is known. An extent of `x` that is known and not 1 is the
  /// result's: no other target than 1 and itself fits it.
  private func partly(_ own: [Dim], _ target: [Dim], _ shape: Fact) throws(Diagnostic) -> [Dim] {
    var result = own.dropLast(target.count) + target
    for (number, axis) in (result.count - target.count..<result.count).enumerated() {
      let place = axis - (result.count - own.count)
      guard place >= 0 else { continue }
      if shape.numbers?[number].whole != nil {
        result[axis] = try Broadcast.shape([[own[place]], [target[number]]])[0]
      } else if let extent = own[place].constant, extent != 1 {
        result[axis] = own[place]
      }
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
