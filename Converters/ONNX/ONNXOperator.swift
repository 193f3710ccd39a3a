import MLCCore
import MLCGraph

/// How an ONNX operator becomes operations of the graph, where that takes more than a row of `ONNXRule+Rows.swift`. One
/// conforming type per operator (or per family of truly identical ones), one file each under `Operators/`, one row each
/// in `ONNXOperatorTable.types`.
package protocol ONNXOperator: Sendable {
  /// ONNX operator types, as `NodeProto.op_type` spells them.
  static var types: [String] { get }
  /// `""` is the standard domain.
  static var domain: String { get }
  /// The first operator-set version whose meaning this reads; older models are refused with this number.
  static var sinceOpset: Int { get }
  /// Appends what `node` means and gives one value per output of the node (trailing optional outputs may be left off).
  static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID]
}

extension ONNXOperator {
  package static var domain: String { "" }
  package static var sinceOpset: Int { 6 }
}

/// What a conversion works with: the builder, the values so far, and the operator set's version.
package struct ONNXContext: Sendable {
  package var builder: Builder
  /// Version of the standard operator set.
  package let opset: Int
  /// Values by ONNX name; a subgraph starts with its parent's.
  private(set) var values: [String: ValueID] = [:]
  /// What each name meant before it was defined, in the order of the definitions.
  private var replaced: [(name: String, value: ValueID?)] = []
  /// What the user should know of how the model was read, a sentence each.
  var notes: [String] = []
  /// How many `If`s are around the node whose sides took in what follows them.
  var takingIn = 0
  /// The node being converted.
  var node = ONNXNode(opType: "")
  let importer: ONNXImporter

  init(builder: Builder, opset: Int, importer: ONNXImporter) {
    (self.builder, self.opset, self.importer) = (builder, opset, importer)
  }

  package var origin: Location { Location(file: importer.file, node: node.name, op: node.opType) }

  // MARK: Names

  mutating func define(_ name: String, _ value: ValueID) {
    replaced.append((name, values[name]))
    values[name] = value
  }

  /// How many definitions there were; `forget(since:)` undoes those that come after.
  var definitionCount: Int { replaced.count }

  /// Makes names mean what they meant when there were `count` definitions.
  mutating func forget(since count: Int) {
    while replaced.count > count {
      let last = replaced.removeLast()
      values[last.name] = last.value
    }
  }

  // MARK: Arguments

  /// Input `index` of the node, `nil` when it is left out.
  package func input(_ index: Int) -> ValueID? { node.input(index).flatMap { values[$0] } }

  /// Input `index`, or `onnx.missing-input`.
  package func required(_ index: Int) throws(Diagnostic) -> ValueID {
    guard let value = input(index) else {
      throw Diagnostic("onnx.missing-input", "input \(index) is required", at: origin)
    }
    return value
  }

  package func fact(_ value: ValueID) -> Fact { builder.fact(value) }

  /// The constant that input `index` is; `nil` when it is left out; `onnx.not-constant` when it is computed at run
  /// time.
  package func constant(_ index: Int, _ name: String) throws(Diagnostic) -> Tensor? {
    guard let value = input(index) else { return nil }
    if let tensor = fact(value).value { return tensor }
    throw Diagnostic(
      "onnx.not-constant",
      "input '\(name)' is computed by the model; mlc needs it to be a constant",
      kind: .unsupported,
      at: origin
    )
  }

  // MARK: Results

  /// Appends an operation named after the node's output `output`. Each argument is one value or none.
  package mutating func emit(_ op: any Operator, _ inputs: ValueID?..., output: Int = 0) throws(Diagnostic) -> ValueID {
    try builder.append(op, inputs.map { $0.map { [$0] } ?? [] }, names: [name(output)], origin: origin)[0]
  }

  /// Appends an operation with variadic arguments or several outputs.
  package mutating func emit(
    _ op: any Operator,
    all inputs: [[ValueID]],
    blocks: [Block] = []
  ) throws(Diagnostic) -> [ValueID] {
    try builder.append(op, inputs, names: node.outputs, blocks: blocks, origin: origin)
  }

  package mutating func constant(_ tensor: Tensor, _ suffix: String = "const") -> ValueID {
    builder.constant(tensor, name: "\(name(0)).\(suffix)", origin: origin)
  }
  /// A scalar of an element type. Throws `onnx.dtype` when it has no numbers.
  package mutating func constant(_ number: Double, _ dtype: DType, _ suffix: String) throws(Diagnostic) -> ValueID {
    if dtype == .string { throw Diagnostic("onnx.dtype", "strings are no numbers") }
    return constant(.scalar(dtype, number), suffix)
  }
  /// A rank-1 `int64` constant.
  package mutating func constant(ints values: [Int], _ suffix: String = "const") -> ValueID {
    constant(Tensor.shape(values), suffix)
  }

  private func name(_ output: Int) -> String { node.output(output) ?? node.name }

  /// Converts a body of the node (`then_branch`, …) to a block. Its nodes see every value around it.
  package mutating func block(_ graph: ONNXGraph) throws(Diagnostic) -> Block {
    try importer.block(graph, in: &self)
  }
}
