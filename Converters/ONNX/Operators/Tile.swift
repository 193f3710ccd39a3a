import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Tile` → `tile`. In version 1 the second input says how often, and the third along which axis; both must be
/// constants.
package enum ONNXTile: ONNXOperator {
  package static let types = ["Tile"]
  package static var operation: String? { "tile" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    guard context.opset < 6 else { return [try context.emit(Tile(), x, try context.required(1))] }
    let rank = context.fact(x).rank
    guard let count = try context.integer(1, "tiles", in: 0...1 << 31),
      let axis = try context.integer(2, "axis", in: -rank...max(0, rank - 1)), rank > 0
    else { throw Diagnostic("onnx.missing-input", "Tile needs 'tiles', 'axis' and data of rank 1 at least") }
    let place = try normalized(axis: axis, rank: rank, "tile")
    return [try context.emit(Tile(), x, context.constant(ints: (0..<rank).map { $0 == place ? count : 1 }, "repeats"))]
  }
}
