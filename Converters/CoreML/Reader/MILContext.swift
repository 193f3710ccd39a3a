import MLCCore
import MLCGraph
import MLCOps

/// A function being imported: what was built, and what its names stand for.
struct MILContext: OperationBuilder {
  var builder: Builder
  /// What names the operations that are appended: the first result of the node being converted.
  var label = ""
  var origin = Location()
  var entries: [String: MILEntry] = [:]
  /// What each state holds at this point.
  var states: [String: ValueID] = [:]
  /// Lists whose length never changes.
  var fixedLists: Set<ValueID> = []
  /// Of values that are scores of classes.
  var labels: [ValueID: ClassLabels] = [:]

  init(_ builder: Builder) { self.builder = builder }

  /// The argument as values of the graph.
  mutating func values(_ node: MILNode, _ name: String) throws(Diagnostic) -> [ValueID] {
    var result: [ValueID] = []
    for (index, entry) in (node.arguments[name] ?? []).enumerated() {
      switch entry {
      case .value(let id), .compressed(let id, _, _): result.append(id)
      case .state(let state):
        throw Diagnostic("coreml.state", "'\(state)' is a state, which is read by read_state only")
      case .constant(let tensor):
        let hint = index == 0 ? "\(node.outputs.first?.name ?? node.name)_\(name)" : "\(node.name)_\(name)_\(index)"
        result.append(builder.constant(tensor, name: hint, origin: node.origin))
      }
    }
    return result
  }

  mutating func value(_ node: MILNode, _ name: String) throws(Diagnostic) -> ValueID {
    guard let value = try values(node, name).first else {
      throw Diagnostic("coreml.parameter", "'\(name)' is missing")
    }
    return value
  }

  mutating func append(_ node: MILNode, _ op: any Operator, _ inputs: [ValueID?], last: Bool = true)
    throws(Diagnostic) -> [ValueID]
  {
    let base = node.outputs.first?.name ?? node.name
    let names = last ? node.outputs.map(\.name) : ["\(base)_\(type(of: op).name)"]
    return try builder.append(op, inputs.map { $0.map { [$0] } ?? [] }, names: names, origin: node.origin)
  }

  mutating func scalar(_ node: MILNode, _ value: Double, like id: ValueID) -> ValueID {
    builder.constant(.scalar(value, beside: builder.fact(id).dtype), name: "\(node.name)_c", origin: node.origin)
  }

  mutating func list(_ node: MILNode, _ values: [Int]) -> ValueID {
    builder.constant(Tensor(.int32, [values.count], values), name: "\(node.name)_list", origin: node.origin)
  }

  // MARK: Compositions

  func fact(_ value: ValueID) -> Fact { builder.fact(value) }

  mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try builder.append(op, inputs, names: ["\(label).\(type(of: op).name)"], origin: origin)[0]
  }

  mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try builder.append(op, inputs, names: ["\(label).\(type(of: op).name)"], origin: origin)
  }

  mutating func list(_ numbers: [Int]) -> ValueID { constant(Tensor(.int32, [numbers.count], numbers), "list") }

  mutating func constant(_ tensor: Tensor, _ suffix: String) -> ValueID {
    builder.constant(tensor, name: "\(label).\(suffix)", origin: origin)
  }

  /// Names a value that a composition gives as the program does.
  mutating func rename(_ value: ValueID, _ name: String) {
    guard builder.function[value].name.hasPrefix("\(label).") else { return }
    builder.function[value].name = builder.uniqueName(name)
  }
}
