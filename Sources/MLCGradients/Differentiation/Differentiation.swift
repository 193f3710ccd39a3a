import MLCCore
import MLCGraph
import MLCOps

/// Reverse-mode differentiation of a function: its operations are written anew, composites on the way from the
/// parameters to the result as their parts, and the gradients' operations behind them.
///
/// Source: Griewank and Walther, "Evaluating Derivatives", 2nd edition, SIAM 2008, chapter 3.
package struct Differentiation {
  package var writer: GraphWriter
  private let parameters: [ValueID]
  /// What stands for the results of composites.
  private var substitutes: [ValueID: ValueID] = [:]

  /// Writes the operations of `function` that `result` and `others` take. `parameters` are inputs of it, or values that
  /// no operation of `function` makes. Throws `gradient.unsupported` with all nodes between them and the result that
  /// have no gradient.
  package init(_ function: Function, parameters: [ValueID], result: ValueID, keeping others: [ValueID] = [])
    throws(Diagnostic)
  {
    self.parameters = parameters
    writer = GraphWriter(function)
    let operations = function.body.operations(for: [result] + others)
    let path = GradientPath(operations, in: function, from: parameters, to: result)
    var changed = Set(parameters)
    for operation in operations {
      var operation = operation
      operation.substitute(substitutes)
      let isChanged = operation.reads(changed)
      if isChanged { changed.formUnion(operation.outputs) }
      writer.origin = operation.origin
      let isOnPath = operation.outputs.contains(where: path.values.contains)
      if isOnPath, let parts = try parts(of: operation) {
        for (output, part) in zip(operation.outputs, parts) { substitutes[output] = part }
        changed.formUnion(parts)
      } else {
        try writer.keep(operation, isChanged: isChanged)
      }
    }
    writer.origin = Location()
    try gradientPath(to: value(result)).check(writer.function)
  }

  /// What stands for a value of the function.
  package func value(_ original: ValueID) -> ValueID { substitutes[original] ?? original }

  /// `∂loss/∂p` for each parameter p, of its shape and element type; zeros where the loss does not depend on it. `loss`
  /// is a scalar made by `writer`. Throws `gradient.unsupported`.
  package mutating func gradients(of loss: ValueID) throws(Diagnostic) -> [ValueID] {
    let path = gradientPath(to: loss)
    try path.check(writer.function)
    var context = GradientContext(writer, path: path.values, loss: loss)
    for operation in path.operations.reversed() {
      guard let op = operation.op as? any Differentiable, context.begin(operation) else { continue }
      do { try op.differentiate(&context) } catch {
        var located = error
        located.location = error.location.within(operation.origin)
        throw located
      }
    }
    var gradients: [ValueID] = []
    for parameter in parameters {
      if let total = try context.total(of: parameter) {
        gradients.append(total)
      } else {
        gradients.append(try context.zeros(like: parameter))
      }
    }
    writer = context.writer
    writer.origin = Location()
    return gradients
  }

  private func gradientPath(to loss: ValueID) -> GradientPath {
    GradientPath(writer.operations, in: writer.function, from: parameters, to: loss)
  }

  /// The results of a composite by its parts, and theirs; `nil` where it is none or has none.
  private mutating func parts(of operation: Operation) throws(Diagnostic) -> [ValueID]? {
    guard let op = operation.op as? any Composite else { return nil }
    let operands = Operands(type(of: op).portNames, operation.inputs)
    if op.partsObstacle(operands.map { writer.fact($0) }) != nil { return nil }
    return try op.parts(operands, &writer)
  }
}

extension Operation {
  fileprivate mutating func substitute(_ values: [ValueID: ValueID]) {
    inputs = inputs.map { $0.map { values[$0] ?? $0 } }
    for index in blocks.indices { blocks[index].substitute(values) }
  }

  /// Whether it, or a block of its, takes one of `values`.
  func reads(_ values: Set<ValueID>) -> Bool {
    inputs.joined().contains(where: values.contains) || blocks.contains { $0.uses.contains(where: values.contains) }
  }
}

extension Block {
  fileprivate mutating func substitute(_ values: [ValueID: ValueID]) {
    for index in operations.indices { operations[index].substitute(values) }
    outputs = outputs.map { values[$0] ?? $0 }
  }
}
