import MLCPackage

/// What predictions of a model take and give, looked up once: each prediction goes through all of it.
struct ModelFeatures: Sendable {
  let inputs: [CallerFeature], outputs: [CallerFeature]
  let symbols: [FunctionInterface.Symbol]

  init(_ interface: FunctionInterface) {
    (inputs, outputs, symbols) = (interface.inputFeatures, interface.outputFeatures, interface.symbols)
  }

  /// Of what gives nothing.
  init(inputs: [CallerFeature], symbols: [FunctionInterface.Symbol]) {
    (self.inputs, outputs, self.symbols) = (inputs, [], symbols)
  }
}
