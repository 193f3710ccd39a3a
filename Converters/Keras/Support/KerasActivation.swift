import MLCCore
import MLCGraph
import MLCOps

/// An activation as a config names it: a function of `keras.activations`, or an activation layer without weights.
struct KerasActivation {
  /// `linear` when there is none.
  let name: String
  /// The layer that it is, if it is one.
  private let layer: JSON?

  /// Throws `keras.activation` for functions that mlc does not have, among them all that are not Keras' own.
  init(_ config: KerasConfig, _ key: String) throws(Diagnostic) {
    switch config[key] {
    case nil: (name, layer) = ("linear", nil)
    case .string(let text)?: (name, layer) = (text, nil)
    case .object(let members)? where members["class_name"] == .string("function"):
      guard case .string(let text)? = members["config"] else { throw KerasConfig.wrong(key, "names no function") }
      (name, layer) = (text, nil)
    case .object(let members)?:
      guard case .string(let text)? = members["class_name"] else { throw KerasConfig.wrong(key, "names no function") }
      (name, layer) = (text, .object(members))
    default: throw KerasConfig.wrong(key, "names no function")
    }
  }

  private var unsupported: Diagnostic {
    Diagnostic("keras.activation", "the activation '\(name)' is not supported", kind: .unsupported)
  }

  func apply(to x: KerasTensor, in context: inout KerasContext) throws(Diagnostic) -> KerasTensor {
    if let layer {
      let node = try KerasLayerNode.read(layer, id: "", within: context.layer.path, isKeras2: context.isKeras2)
      guard let type = node.type, type.classNames.contains(where: { KerasActivation.layers.contains($0) }),
        try type.weights(node.config).isEmpty
      else { throw unsupported }
      return try type.convert(KerasCall(layer: node, inputs: [x]), in: &context)[0]
    }
    if name == "linear" { return x }
    if let op = try op(context) { return try context.elementwise(op, x) }
    switch name {
    case "softmax": return try context.elementwise(Softmax(axis: try context.physicalAxis(-1, x)), x)
    case "log_softmax": return try context.elementwise(LogSoftmax(axis: try context.physicalAxis(-1, x)), x)
    default: break
    }
    guard let composed = try ComposedActivation(name: name)?.apply(to: x, in: &context) else { throw unsupported }
    return composed
  }

  private static let layers = ["ReLU", "LeakyReLU", "ELU", "Softmax", "ThresholdedReLU"]

  /// The one operator that it is, where there is one.
  private func op(_ context: KerasContext) throws(Diagnostic) -> (any Operator)? {
    switch name {
    case "relu": Relu()
    case "relu6": Relu6()
    case "elu": Elu(alpha: 1)
    case "selu": Selu(alpha: 1.67326324235437728, gamma: 1.05070098735548049)
    case "celu": Celu(alpha: 1)
    case "softplus": Softplus()
    case "softsign": Softsign()
    case "tanh": Tanh()
    case "sigmoid": Sigmoid()
    case "hard_sigmoid": context.isKeras2 ? SigmoidHard(alpha: 0.2, beta: 0.5) : SigmoidHard(alpha: 1 / 6, beta: 0.5)
    case "exponential": Exp()
    case "swish", "silu": Silu()
    case "hard_swish", "hard_silu": HardSwish()
    case "gelu": Gelu(mode: "EXACT")
    case "mish": Mish()
    case "leaky_relu": LeakyRelu(alpha: 0.2)
    case "hard_tanh": Clip(alpha: -1, beta: 1)
    default: nil
    }
  }
}
