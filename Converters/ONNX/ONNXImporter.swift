import MLCCore
import MLCGraph

/// Turns an ONNX model into a program of the graph.
package struct ONNXImporter: Sendable {
  /// The user's file, for diagnostics.
  package var file: String
  /// Shapes and element types that the user binds, by input name.
  package var bindings: [String: TensorType]
  /// What reading may take.
  package var budget: Budget

  package init(file: String, bindings: [String: TensorType] = [:], budget: Budget = Budget()) {
    (self.file, self.bindings, self.budget) = (file, bindings, budget)
  }

  /// Reads and converts `path`. Throws what the reader throws, `onnx.unsupported` with a table of every operator that
  /// mlc does not have, or the first node's problem, which may be `budget.time`.
  package static func read(
    _ path: String,
    bindings: [String: TensorType] = [:],
    budget: Budget = Budget()
  ) throws(Diagnostic) -> Program {
    let model = try ONNXReader.read(path, budget: budget)
    return try ONNXImporter(file: path, bindings: bindings, budget: budget).program(model)
  }

  package func program(_ model: ONNXModel) throws(Diagnostic) -> Program {
    try locating(Location(file: file)) { () throws(Diagnostic) in
      if model.irVersion >= 3, model.opsets[""] == nil, model.graph.nodes.contains(where: { $0.domain.isEmpty }) {
        throw Diagnostic("onnx.opset-missing", "the model names no version of its operators; the file may be cut short")
      }
      if let report = UnsupportedOperators.report(model) { throw report }
      return try converted(model)
    }
  }

  private func converted(_ model: ONNXModel) throws(Diagnostic) -> Program {
    var function = Function("main")
    function.file = file
    let functions = try self.functions(model)
    var context = ONNXContext(builder: Builder(function), opset: model.opset, functions: functions, importer: self)
    for output in model.graph.outputs { context.declaredRanks[output.name] = output.type?.rank }
    if model.opset > ONNXModel.newestOpset {
      let newest = ONNXModel.newestOpset
      context.notes.append("operator set \(model.opset) is read as \(newest), the newest that mlc knows")
    }
    try addInputs(model.graph, to: &context)
    try addNodes(model.graph, to: &context)
    var outputs: [(name: String, value: ValueID)] = []
    for output in model.graph.outputs {
      guard let value = context.values[output.name] else {
        throw Diagnostic("onnx.undefined-value", "output '\(output.name)' is not computed by any node")
      }
      outputs += try ports(output.name, value, in: &context)
    }
    var program = Program([context.builder.finish(outputs)])
    (program.metadata, program.notes) = (model.metadata, context.notes)
    return program
  }

  private func addInputs(_ graph: ONNXGraph, to context: inout ONNXContext) throws(Diagnostic) {
    let names = graph.requiredInputs.map(\.name)
    for name in bindings.keys.sorted() where !names.contains(name) {
      let known = names.map { "'\($0)'" }.joined(separator: ", ")
      throw Diagnostic("onnx.unknown-input", "the model has no input '\(name)'; its inputs are \(known)", kind: .usage)
    }
    var sizes: [String: Dim] = [:]
    for input in graph.requiredInputs { try bindSizes(of: input, into: &sizes) }
    for input in graph.requiredInputs { try addPort(input, sizes, to: &context) }
  }

  func type(of input: ONNXValueInfo) throws(Diagnostic) -> TensorType {
    if let bound = bindings[input.name], let dtype = input.dtype {
      return TensorType(dtype, bound.shape.named(input.name, as: input.type?.shape))
    }
    if let what = input.unsupported {
      throw Diagnostic("onnx.input-type", "input '\(input.name)' is \(what); mlc takes tensors", kind: .unsupported)
    }
    guard let type = input.type else {
      let remedy = "give one with 'mlc compile --input' or 'mlc convert --input', as NAME=1,3,224,224"
      throw Diagnostic(
        "onnx.input-type",
        "input '\(input.name)' has no declared shape; \(remedy)",
        kind: input.isSequence ? .unsupported : .badModel
      )
    }
    return type
  }

  /// What the user's shape for `input` says about the sizes that the model names.
  private func bindSizes(of input: ONNXValueInfo, into sizes: inout [String: Dim]) throws(Diagnostic) {
    guard !input.isSequence, input.keys == nil, let bound = bindings[input.name] else { return }
    guard let declared = input.type else { return }
    guard declared.rank == bound.rank else {
      let given = bound.shape.map(\.description).joined(separator: ",")
      let message = "--input \(input.name): the model declares \(declared), not \(given)"
      throw Diagnostic("onnx.input-shape", message, kind: .usage)
    }
    for (extent, size) in zip(declared.shape, bound.shape) {
      if let symbol = extent.symbol, size != extent, size != .unnamed { sizes[symbol] = size }
      if let fixed = extent.constant, let number = size.constant, fixed != number {
        let message = "--input \(input.name): extent \(number) does not fit the model's \(declared)"
        throw Diagnostic("onnx.input-shape", message, kind: .usage)
      }
    }
  }
}
