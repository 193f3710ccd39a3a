import MLCCore
import MLCGraph

/// What a conversion works with: the builder, the values so far, and the operator set's version.
package struct ONNXContext: Sendable {
  package var builder: Builder
  /// What names mean now.
  private var scope: ONNXScope
  /// The functions that the model defines.
  let functions: [ONNXFunction.ID: ONNXFunction]
  /// What the user should know of how the model was read, a sentence each.
  var notes: [String] = []
  /// The ranks that the model declares for its outputs, by name.
  var declaredRanks: [String: Int] = [:]
  /// The branches, by the names of what they give, that have been put behind all that does not depend on them.
  var postponed: Set<[String]> = []
  /// How many `If`s are around the node whose sides took in what follows them.
  var takingIn = 0
  /// How many loops are around the node.
  var rounds = 0
  /// How many bodies and calls are around the node.
  var depth = 0
  /// What the calls so far put in the place of nodes, in bytes of the file.
  var inlined = 0
  /// The node being converted.
  var node = ONNXNode(opType: "")
  let importer: ONNXImporter

  init(builder: Builder, opset: Int, functions: [ONNXFunction.ID: ONNXFunction] = [:], importer: ONNXImporter) {
    scope = ONNXScope(opset: opset)
    (self.builder, self.functions, self.importer) = (builder, functions, importer)
  }

  /// The node, behind those whose calls are around it.
  package var origin: Location {
    let place = scope.place.isEmpty ? node.name : "\(scope.place)/\(node.name)"
    return Location(file: importer.file, node: place, op: node.opType)
  }

  // MARK: Names

  /// Version of the standard operator set.
  package var opset: Int { scope.opset }
  /// Values by ONNX name; a subgraph starts with its parent's, a function with its arguments.
  var values: [String: ONNXValue] { scope.values }

  mutating func define(_ name: String, _ value: ONNXValue) { scope.define(name, value) }

  /// How many definitions there were; `forget(since:)` undoes those that come after.
  var definitionCount: Int { scope.replaced.count }

  /// Makes names mean what they meant when there were `count` definitions.
  mutating func forget(since count: Int) { scope.forget(since: count) }

  /// Makes names mean what they do in the body of `function`, which `node` calls; gives what they meant, for `leave`.
  /// Throws `onnx.function`, `onnx.nesting`.
  mutating func enter(_ function: ONNXFunction) throws(Diagnostic) -> ONNXScope {
    let inner = try scope.inside(function, calledBy: node)
    guard depth < ONNXReader.maximumNesting else {
      throw Diagnostic("onnx.nesting", "calls nest more than \(ONNXReader.maximumNesting) deep")
    }
    defer { (scope, depth) = (inner, depth + 1) }
    return scope
  }

  mutating func leave(to outer: ONNXScope) { (scope, depth) = (outer, depth - 1) }

  // MARK: Arguments

  /// Input `index` of the node, a tensor; `nil` when it is left out.
  package func input(_ index: Int) -> ValueID? { node.input(index).flatMap { values[$0]?.tensor } }

  /// Input `index`, or `onnx.missing-input`.
  package func required(_ index: Int) throws(Diagnostic) -> ValueID {
    guard let value = input(index) else {
      throw Diagnostic("onnx.missing-input", "input \(index) is required", at: origin)
    }
    return value
  }

  package func fact(_ value: ValueID) -> Fact { builder.fact(value) }

  /// The numbers that input `index` always has; `nil` when it is left out; `onnx.not-constant` when it is computed at
  /// run time, `onnx.dtype` for strings.
  package func constant(_ index: Int, _ name: String) throws(Diagnostic) -> Tensor? {
    guard let value = input(index) else { return nil }
    if fact(value).dtype == .string {
      throw Diagnostic("onnx.dtype", "input '\(name)' is \(fact(value).type), which are no numbers", at: origin)
    }
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
}
