import MLCCore
import MLCPackage

/// What each step of a function computes and moves, as its plan estimates for the sizes of a run.
struct StepCosts {
  struct Step {
    /// `nil` where there is no estimate.
    var operations: Double?, bytes: Double?
    /// What kind of kernel it is, and the element type of what it multiplies.
    var kind: String?, factors: DType?
    /// The user's operators, `Conv, Relu`.
    var operators: String
    /// The tensors that it writes, `?` where data decides a size.
    var results: [TensorType]
  }
  let steps: [Step]

  /// Those of `function` for the device called `target`. Throws what reading the plans throws.
  init(
    _ package: PackageReader,
    _ function: FunctionInterface,
    target: String,
    inputs: [Tensor]
  ) throws(Diagnostic) {
    var sizes: [String: Int] = [:]
    for (port, tensor) in zip(function.inputs, inputs) {
      for (dim, extent) in zip(port.type.shape, tensor.shape) { if let symbol = dim.symbol { sizes[symbol] = extent } }
    }
    let code = package.manifest.targets.first { $0.device.name == target }?.code.first { $0.function == function.name }
    var steps: [Step] = []
    for segment in code?.segments ?? [] {
      for step in try package.plan(segment).steps {
        var names: [String] = []
        for origin in step.origins where !names.contains(origin.op) { names.append(origin.op) }
        steps.append(
          Step(
            operations: step.operations?.evaluate(sizes).map { Double($0) },
            bytes: step.bytes?.evaluate(sizes).map { Double($0) },
            kind: step.kind,
            factors: step.factors,
            operators: names.joined(separator: ", "),
            results: step.results.map { type in
              TensorType(type.dtype, type.shape.map { $0.evaluate(sizes).map { Dim($0) } ?? .symbol("?") })
            }
          )
        )
      }
    }
    self.steps = steps
  }
}
