import MLCCore
import MLCGraph
import MLCOps

/// ONNX' preview `FlexAttention`: `softmax(mod(q · kᵀ · scale)) · v`, where a body changes the scores, `score_mod`, and
/// another the shares, `prob_mod`, all `[batch, heads, queries, keys]`.
///
/// Both bodies run in the place of the node, and see what is around it. From the scores on numbers are of
/// `softmax_precision`, by default of the type of the queries, of float32 if that is narrower. Heads of queries share
/// those of keys in order.
package enum ONNXFlexAttention: ONNXOperator {
  package static let types = ["FlexAttention"]
  package static var note: String { "bodies run in the place of the node" }
  package static var domain: String { "ai.onnx.preview" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (query, key, value) = (try context.required(0), try context.required(1), try context.required(2))
    let dtype = context.fact(query).dtype
    let precision = try node.int("softmax_precision").map { (code) throws(Diagnostic) in try ONNXDataType.dtype(code) }
    let wide = precision ?? (dtype == .float64 ? dtype : .float32)
    guard wide.isFloat, dtype.isFloat, [query, key, value].allSatisfy({ context.fact($0).rank == 4 }) else {
      let message = "\(context.fact(query).type) are no heads, or \(wide.rawValue) is no precision"
      throw Diagnostic("onnx.attention", message)
    }
    let groups = try ONNXHeadGroups(context.fact(query), context.fact(key))
    let scores = try scores(node, groups, query, key, in: &context)
    var shares = try context.cast(try groups.joined(scores, query, in: &context), to: wide)
    shares = try modified(shares, "score_mod", node, in: &context)
    shares = try context.emit(Softmax(axis: -1), shares)
    shares = try groups.split(try modified(shares, "prob_mod", node, in: &context), in: &context)
    let values = try groups.widen(try context.cast(value, to: wide), in: &context)
    let y = try groups.joined(try context.emit(MatMul(), shares, values), query, in: &context)
    return [try context.cast(y, to: context.fact(value).dtype)]
  }

  private static func scores(
    _ node: ONNXNode,
    _ groups: ONNXHeadGroups,
    _ query: ValueID,
    _ key: ValueID,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let width = context.fact(query).shape[3].constant ?? 0
    let given = try node.float("scale").map { Double($0) }
    guard given != nil || width > 0 else {
      throw Diagnostic("onnx.attention", "the width of the heads is not known", kind: .unsupported)
    }
    let scale = given ?? 1 / Double(width).squareRoot()
    let factor = scale.magnitude.squareRoot()
    let left = try context.scaled(query, by: scale < 0 ? -factor : factor)
    let right = try groups.widen(try context.scaled(key, by: factor), in: &context)
    return try context.emit(MatMul(transposeY: true), try groups.split(left, in: &context), right)
  }

  /// What the body `name` makes of `x`, or `x` where there is none.
  private static func modified(_ x: ValueID, _ name: String, _ node: ONNXNode, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    guard let body = try node.graph(name) else { return x }
    guard body.inputs.count == 1, body.outputs.count == 1 else {
      throw Diagnostic("onnx.attention", "\(name) takes \(body.inputs.count) and gives \(body.outputs.count) values")
    }
    let y = try context.tensor(try context.outputs(of: body, for: [.tensor(x)])[0], "what \(name) gives")
    let (old, new) = (context.fact(x).type, context.fact(y).type)
    guard old.dtype == new.dtype, old.rank == new.rank, zip(old.shape, new.shape).allSatisfy(ONNXContext.fits) else {
      throw Diagnostic("onnx.attention", "\(name) makes \(new) of \(old)")
    }
    return y
  }
}
