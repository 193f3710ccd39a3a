import MLCCore
import MLCGraph
import MLCOps

extension ONNXContext {
  /// One operation on the node's inputs, in their order, with one output.
  package mutating func elementwise(_ op: any Operator) throws(Diagnostic) -> [ValueID] {
    var inputs: [[ValueID]] = []
    for index in type(of: op).ports.indices { inputs.append([try required(index)]) }
    return try emit(op, all: inputs)
  }

  /// One operation on the node's two inputs, which broadcast. Before operator set 7 the second does only where
  /// `broadcast` says so, and its axes are those of the first from `axis` on, the last ones without it. Throws
  /// `onnx.broadcast`.
  package mutating func broadcasting(_ op: any Operator) throws(Diagnostic) -> [ValueID] {
    let (x, y) = (try required(0), try required(1))
    return [try emit(op, x, opset < 7 ? try placed(y, along: x) : y)]
  }

  private mutating func placed(_ y: ValueID, along x: ValueID) throws(Diagnostic) -> ValueID {
    let (wide, narrow) = (fact(x), fact(y))
    guard try node.flag("broadcast") else {
      guard wide.rank == narrow.rank, zip(wide.shape, narrow.shape).allSatisfy(ONNXContext.fits) else {
        throw Diagnostic("onnx.broadcast", "\(narrow.type) differs from \(wide.type), and 'broadcast' is not set")
      }
      return y
    }
    let free = wide.rank - narrow.rank
    let given = try node.int("axis", default: free)
    let axis = given < 0 ? given + wide.rank : given
    guard free >= 0, 0...free ~= axis else {
      throw Diagnostic("onnx.broadcast", "\(narrow.type) does not lie within \(wide.type) from axis \(given) on")
    }
    return axis == free ? y : try emit(ExpandDims(Array(narrow.rank..<narrow.rank + free - axis)), y)
  }
}
