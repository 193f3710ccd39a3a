import MLCCore
import MLCGraph
import MLCOps

/// ONNX `If` → `cond`, for sides that give values of equal types and ranks. `ONNXImporter.addBranch` does the rest.
/// Sequences and optionals pass out of the sides in a form that both can have.
package enum ONNXIf: ONNXValueOperator {
  package static let types = ["If"]
  package static var operation: String? { "cond" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let bodies = try node.bodies()
    let pred = try context.required(0)
    guard bodies.contains(where: { $0.outputs.contains { $0.isSequence || $0.isOptional } }) else {
      let blocks = [try block(bodies[0], in: &context), try block(bodies[1], in: &context)]
      return try context.emit(Cond(), all: [[pred]], blocks: blocks).map { .tensor($0) }
    }
    let (yes, no) = (try forms(bodies[0], in: context), try forms(bodies[1], in: context))
    guard yes.count == no.count else {
      throw Diagnostic("onnx.if", "the branches give \(yes.count) and \(no.count) values")
    }
    var forms: [ONNXForm] = []
    for (a, b) in zip(yes, no) { forms.append(try a.joined(b)) }
    let blocks = [try block(bodies[0], forms, in: &context), try block(bodies[1], forms, in: &context)]
    let results = try context.emit(Cond(), all: [[pred]], blocks: blocks)
    return context.values(in: forms, from: results)
  }

  /// What `body` gives, of which nothing is kept.
  private static func forms(_ body: ONNXGraph, in context: ONNXContext) throws(Diagnostic) -> [ONNXForm] {
    var trial = context
    _ = trial.builder.beginBlock()
    return try trial.outputs(of: body, for: []).map { value throws(Diagnostic) in try trial.form(value) }
  }

  /// `body` as a block that gives tensors, or values in `forms`.
  private static func block(_ body: ONNXGraph, _ forms: [ONNXForm]? = nil, in context: inout ONNXContext)
    throws(Diagnostic) -> Block
  {
    _ = context.builder.beginBlock()
    var tensors: [ValueID] = []
    for (index, value) in try context.outputs(of: body, for: []).enumerated() {
      if let forms {
        tensors += try context.tensors(of: value, in: forms[index])
      } else {
        tensors.append(try context.tensor(value, "what a branch gives"))
      }
    }
    return context.builder.endBlock(yielding: tensors)
  }
}
