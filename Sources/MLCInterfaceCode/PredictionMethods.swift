/// The methods of a generated class that predict.
struct PredictionMethods {
  let name: String, access: AccessLevel, inputs: [Feature], isStateful: Bool

  private var options: String { "options: MLPredictionOptions = MLPredictionOptions()" }

  func write(_ code: inout SwiftCode) {
    if isStateful { writeState(&code) }
    writePrediction(&code)
    if !inputs.isEmpty { writeFeatures(&code) }
    if !isStateful { writeBatch(&code) }
  }

  private func writeState(_ code: inout SwiftCode) {
    code.document("A state as the model begins with. Predictions that are given it read and change it.")
    code.line("\(access.prefix)func makeState() -> \(name)State { \(name)State(handle: model.makeState()) }")
  }

  private func writePrediction(_ code: inout SwiftCode) {
    let state = isStateful ? ", using state: \(name)State" : ""
    let pass = isStateful ? ", using: state.handle" : ""
    let head = "\(access.prefix)func prediction(input: \(name)Input\(state), \(options))"
    code.document("What the model answers to `input`.")
    code.block("\(head) throws -> \(name)Output") { code in
      code.line("try \(name)Output(checking: model.prediction(from: input\(pass), options: options))")
    }
    code.document(
      "What the model answers to `input`, off the caller's thread; a cancelled task's is `CancellationError`."
    )
    code.block("\(head) async throws -> \(name)Output") { code in
      code.line("try \(name)Output(checking: await model.prediction(from: input\(pass), options: options))")
    }
  }

  private func writeFeatures(_ code: inout SwiftCode) {
    let state = isStateful ? ", using state: \(name)State" : ""
    let pass = isStateful ? ", using: state" : ""
    let hasArrays = inputs.contains(where: \.isArray)
    for parameters in [inputs.parameters] + (hasArrays ? [inputs.shapedParameters] : []) {
      code.document("What the model answers to these inputs.")
      code.block("\(access.prefix)func prediction(\(parameters)\(state)) throws -> \(name)Output") { code in
        code.line("try self.prediction(input: \(name)Input(\(inputs.arguments()))\(pass))")
      }
    }
  }

  private func writeBatch(_ code: inout SwiftCode) {
    code.document("What the model answers to each of `inputs`, in their order.")
    let head = "\(access.prefix)func predictions(inputs: [\(name)Input], \(options)) throws -> [\(name)Output]"
    code.block(head) { code in
      code.line("let results = try model.predictions(from: MLArrayBatchProvider(array: inputs), options: options)")
      code.line("return try (0..<results.count).map { try \(name)Output(checking: results.features(at: $0)) }")
    }
  }
}
