import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// Recurrent layers with constant weights, drawn: any kind, direction, batch and number of units, sequences of one
/// length or of their own.
@Suite(.serialized) struct RecurrenceSweepTests {
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func layers(_ name: String) throws {
    var random = SeededGenerator(seed: 21)
    try expectAgreement(name, (0..<40).map { Self.layer($0, &random) })
  }

  private static func layer(_ number: Int, _ random: inout SeededGenerator) -> OperatorCase {
    let direction = ["forward", "reverse", "bidirectional"].randomElement(using: &random)!
    let keeps = Bool.random(using: &random)
    func configured<Layer: RecurrentLayer>(_ layer: Layer) -> Layer {
      var layer = layer
      (layer.direction, layer.outputSequence) = (direction, keeps)
      return layer
    }
    switch number % 4 {
    case 0: return operands(number, configured(LSTM()), &random)
    case 1: return operands(number, configured(RNN()), &random)
    default: return operands(number, configured(GRU().setting(\.resetAfter, number % 4 == 2)), &random)
    }
  }

  private static func operands<Layer: RecurrentLayer>(
    _ number: Int,
    _ layer: Layer,
    _ random: inout SeededGenerator
  ) -> OperatorCase {
    let (steps, batch) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...21, using: &random))
    let (hidden, width) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...5, using: &random))
    let (isPadded, hasStates) = (Bool.random(using: &random), Bool.random(using: &random))
    let directions = layer.direction == "bidirectional" ? 2 : 1
    let rows = Layer.gates * hidden
    var constants: Set<String> = []
    let operands = Layer.schema.inputs.map { input -> [Tensor] in
      let name = input.name.hasSuffix("_back") ? String(input.name.dropLast(5)) : input.name
      if name != input.name, directions == 1 { return [] }
      let shape: [Int]
      switch name {
      case "x": shape = [steps, batch, width]
      case "initial_h", "initial_c": shape = hasStates ? [batch, directions * hidden] : []
      case "weight_ih": shape = [rows, width]
      case "weight_hh": shape = [rows, hidden]
      case "bias": shape = [rows]
      case "hidden_bias": shape = [hidden]
      case "sequence_lens":
        let lengths = (0..<batch).map { _ in Int.random(in: 0...steps, using: &random) }
        return isPadded ? [Tensor(.int32, [batch], lengths)] : []
      default: shape = []
      }
      if shape.isEmpty { return [] }
      if name.hasPrefix("weight") || name.hasSuffix("bias") { constants.insert(input.name) }
      let scale: Float = name == "weight_hh" ? 1 / Float(hidden).squareRoot() : 0.5
      return [Tensor(shape, floats: (0..<shape.reduce(1, *)).map { _ in Float(random.normal()) * scale })]
    }
    let results = [Tensor?](repeating: nil, count: Layer.schema.outputs.count)
    return OperatorCase("recurrence.\(number)", layer, operands, expected: results, constants: constants)
  }
}
