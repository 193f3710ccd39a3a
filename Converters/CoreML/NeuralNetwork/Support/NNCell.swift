import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// What recurrent layers share: sequences are `[Seq, Batch, C, 1, 1]`, states `[1, Batch, H, 1, 1]`.
enum NNCell {
  /// The graph's name of an activation; without numbers it has the only ones that recurrent layers may have. Throws
  /// `coreml.parameter` for one that recurrent layers do not have.
  static func name(_ activation: CoreML_Specification_ActivationParams) throws(Diagnostic) -> String {
    switch activation.nonlinearityType {
    case .tanh?: return "tanh"
    case .sigmoid?: return "sigmoid"
    case .reLu?: return "relu"
    case .linear(let spec)? where [0, 1].contains(spec.alpha) && spec.beta == 0: return "linear"
    case .sigmoidHard(let spec)? where spec.alpha == 0 && spec.beta == 0: return "hard_sigmoid"
    case .sigmoidHard(let spec)? where abs(spec.alpha - 0.2) < 1e-6 && abs(spec.beta - 0.5) < 1e-6:
      return "hard_sigmoid"
    default: throw NNContext.unsupported("the activation of a recurrent layer is none that mlc has")
    }
  }

  /// Activations in the layer's order; `standard` when there are none.
  static func names(_ activations: [CoreML_Specification_ActivationParams], _ standard: [String]) throws(Diagnostic)
    -> [String]
  {
    if activations.isEmpty { return standard }
    guard activations.count == standard.count else {
      throw NNContext.wrong("there are \(activations.count) activations, not \(standard.count)")
    }
    var names: [String] = []
    for activation in activations { names.append(try name(activation)) }
    return names
  }

  /// The bound of ±50 on what goes into activations, where it can be seen: other activations are flat there.
  static func clip(_ activations: [String]) -> Double? {
    activations.contains { ["relu", "linear"].contains($0) } ? 50 : nil
  }

  /// Gates one below the other, `[G·rows, columns]`, expanded.
  static func stacked(
    _ gates: [NNWeightSpec],
    _ name: String,
    _ rows: Int,
    _ columns: Int?,
    in context: NNContext
  ) throws(Diagnostic) -> Tensor {
    let shape = [rows] + (columns.map { [$0] } ?? [])
    var floats: [Float] = []
    for gate in gates { floats += try context.dense(gate, name, shape).floats }
    return Tensor([gates.count * rows] + shape.dropFirst(), floats: floats)
  }

  /// The layer's sequence of `width` numbers a step, and the lines that it is, where its input is planes.
  static func sequence(width: Int, in context: inout NNContext) throws(Diagnostic) -> (steps: ValueID, lines: NNLines?)
  {
    if let lines = try NNLines(width: width, in: context) { return (try lines.steps(in: &context), lines) }
    return (try steps(try context.input(), in: &context), nil)
  }

  /// `[Seq, Batch, C, 1, 1]` as `[Seq, Batch, C]`.
  static func steps(_ x: ValueID, in context: inout NNContext) throws(Diagnostic) -> ValueID {
    let shape = context.shape(x)
    guard shape.count == 5 else { throw NNContext.wrong("\(context.fact(x).type) is no sequence of five axes") }
    return try context.reshape(x, [shape[0], shape[1], shape[2] * shape[3] * shape[4]])
  }

  /// Input `index`, a state, as `[Batch, H]`; `nil` when the layer has none there. One of `width` numbers may be
  /// `[Batch, H, 1, 1, 1]`: so coremltools writes that of `simpleRecurrent`.
  static func state(_ index: Int, width: Int? = nil, in context: inout NNContext) throws(Diagnostic) -> ValueID? {
    guard index < context.inputCount else { return nil }
    let x = try context.input(index, rank: 3)
    let shape = context.shape(x)
    if let width, shape.count == 5, shape[1].constant == width, shape[2...].allSatisfy({ $0 == 1 }) {
      return try context.reshape(x, Array(shape[..<2]))
    }
    return try context.reshape(x, [shape.dropLast(3).reduce(1) { $0 * $1 }, shape[shape.count - 3]])
  }

  /// `[Seq, Batch, H]` or `[Batch, H]` with five axes.
  static func widened(_ y: ValueID, in context: inout NNContext) throws(Diagnostic) -> ValueID {
    let shape = context.shape(y)
    return try context.reshape(y, (shape.count == 2 ? [1] : []) + shape + [1, 1])
  }
}
