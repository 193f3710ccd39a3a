import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import SwiftProtobuf
import Testing

/// Networks as kraken writes them: an open width of 0, lines and columns of planes as sequences, an output without a
/// layer.
@Suite struct KrakenTests {
  private let channels = 2, hidden = 3

  /// An LSTM of both directions, called as kraken calls one along columns.
  private var lstm: CoreML_Specification_NeuralNetworkLayer {
    var seed: Float = 0
    func weights(_ count: Int) -> CoreML_Specification_WeightParams {
      .with { weights in
        weights.floatValue = (0..<count).map { _ in
          seed += 1
          return sin(seed * 1.7)
        }
      }
    }
    return .with { layer in
      (layer.name, layer.input, layer.output) = ("L_transposed", ["L_transposed"], ["L_transposed"])
      layer.biDirectionalLstm.inputVectorSize = UInt64(channels)
      layer.biDirectionalLstm.outputVectorSize = UInt64(hidden)
      layer.biDirectionalLstm.params.sequenceOutput = true
      layer.biDirectionalLstm.weightParams = (0..<2).map { _ in
        .with {
          $0.inputGateWeightMatrix = weights(hidden * channels)
          $0.forgetGateWeightMatrix = weights(hidden * channels)
          $0.outputGateWeightMatrix = weights(hidden * channels)
          $0.blockInputWeightMatrix = weights(hidden * channels)
          $0.inputGateRecursionMatrix = weights(hidden * hidden)
          $0.forgetGateRecursionMatrix = weights(hidden * hidden)
          $0.outputGateRecursionMatrix = weights(hidden * hidden)
          $0.blockInputRecursionMatrix = weights(hidden * hidden)
        }
      }
    }
  }

  private func feature(_ name: String, _ shape: [Int64]) -> CoreML_Specification_FeatureDescription {
    .with {
      $0.name = name
      ($0.type.multiArrayType.shape, $0.type.multiArrayType.dataType) = (shape, .float32)
    }
  }

  private func read(_ spec: CoreML_Specification_Model) throws -> Function { try program(of: spec).main }

  /// Planes `[1, 2, 4, W]` whose columns the LSTM takes.
  private func planes(isKraken: Bool) -> CoreML_Specification_Model {
    var turn = CoreML_Specification_NeuralNetworkLayer()
    (turn.name, turn.input, turn.output) = ("L", ["input"], ["L_transposed"])
    turn.permute.axis = [0, 1, 3, 2]
    return .with {
      $0.specificationVersion = 2
      $0.description_p.input = [feature("input", [1, Int64(channels), 4, isKraken ? 0 : 5])]
      $0.description_p.output = [feature(isKraken ? "output" : "L_transposed", [1, Int64(2 * hidden), 4, 0])]
      if isKraken { $0.description_p.metadata.userDefined["vgsl"] = "[1,4,0,2 Lby{L}3]" }
      $0.neuralNetwork.layers = [turn, lstm]
    }
  }

  @Test(arguments: [true, false]) func columnsAreSequences(isKraken: Bool) throws {
    let sequence = try read(
      .with {
        $0.specificationVersion = 2
        $0.description_p.input = [feature("L_transposed", [Int64(channels)])]
        $0.description_p.output = [feature("y", [Int64(2 * hidden)])]
        var layer = lstm
        layer.output = ["y"]
        $0.neuralNetwork.layers = [layer]
      }
    )
    let width = 5
    let x = (0..<channels * 4 * width).map { cos(Float($0)) }
    let function = try read(planes(isKraken: isKraken))
    let y = try Interpreter(function).run([Tensor([1, channels, 4, width], floats: x)])[0]
    #expect(y.shape == (isKraken ? [1, 2 * hidden, 4, width] : [1, 2 * hidden, width, 4]))
    for column in 0..<width {
      let steps = (0..<4).flatMap { row in (0..<channels).map { x[($0 * 4 + row) * width + column] } }
      let wanted = try Interpreter(sequence).run([Tensor([4, 1, channels, 1, 1], floats: steps)])[0].floats
      let found = (0..<4).flatMap { row in
        (0..<2 * hidden).map { y.floats[($0 * 4 + row) * width + column] }
      }
      let turned = (0..<4).flatMap { row in
        (0..<2 * hidden).map { y.floats[($0 * width + column) * 4 + row] }
      }
      #expect((isKraken ? found : turned) == wanted)
    }
  }

  /// Others' outputs need layers.
  @Test func namesOfOutputsCount() throws {
    var spec = planes(isKraken: false)
    spec.description_p.output[0].name = "output"
    expectDiagnostic("coreml.undefined-value") { _ = try read(spec) }
  }
}
