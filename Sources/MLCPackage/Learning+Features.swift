import MLCCore

extension Learning {
  /// What an example of training data has: what the first function's caller gives, then the target. `functions` are the
  /// package's; `nil` where they lack one that updates call.
  package func trainingFeatures(of functions: [FunctionInterface]) -> [CallerFeature]? {
    let names = self.functions
    guard let main = functions.first, let function = functions.first(where: { $0.name == names[0] }) else { return nil }
    let given = main.inputFeatures
    switch method {
    case .network: return Array(function.inputFeatures.prefix(given.count + 1))
    case .neighbors(let neighbors):
      let label = FunctionInterface.Port(neighbors.label, TensorType(neighbors.isText ? .string : .int64, [Dim]()))
      let form: Feature.Form = neighbors.isText ? .array : .number
      return given + [CallerFeature(feature: Feature(neighbors.label, form), ports: [label])]
    }
  }
}
