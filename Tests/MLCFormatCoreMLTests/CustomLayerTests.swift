import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import SwiftProtobuf
import Testing

/// Custom layers that mean what a text says.
@Suite struct CustomLayerTests {
  private static let groupNorm = """
    # Mean and variance of groups of channels, then a factor and an offset for each channel.
    func @groupnorm(%x: fp32[n, c, h, w], %groups: int32[], %weight0: fp32[c, 1, 1], %weight1: fp32[c, 1, 1])
      -> ("y" = %y) {
      %count = expand_dims(x = %groups) {axes = [0]}
      %batch = shape(x = %x) {end = 1}
      %rest = const {val = int32[1](-1)}
      %folded = concat(values = (%batch, %count, %rest)) {axis = 0}
      %grouped = reshape(x = %x, shape = %folded)
      %normal = instance_norm(x = %grouped) {epsilon = 0.001}
      %whole = shape(x = %x)
      %back = reshape(x = %normal, shape = %whole)
      %scaled = mul(x = %back, y = %weight0)
      %y = add(x = %scaled, y = %weight1)
    }
    """

  private func model(exact: Bool) -> CoreML_Specification_Model {
    let array = CoreML_Specification_FeatureType.with {
      $0.multiArrayType.shape = exact ? [2, 4, 1, 3] : [4, 1, 3]
      $0.multiArrayType.dataType = .float32
    }
    var layer = CoreML_Specification_NeuralNetworkLayer()
    (layer.name, layer.input, layer.output) = ("norm", ["x"], ["y"])
    layer.custom.className = "groupnorm"
    layer.custom.parameters["groups"] = .with { $0.intValue = 2 }
    layer.custom.weights = [[1, 2, 3, 4], [0, 0, 1, -1]].map { numbers in .with { $0.floatValue = numbers } }
    return .with {
      $0.specificationVersion = 4
      $0.description_p.input = [.with { ($0.name, $0.type) = ("x", array) }]
      $0.description_p.output = [.with { ($0.name, $0.type) = ("y", array) }]
      $0.neuralNetwork.layers = [layer]
      $0.neuralNetwork.arrayInputShapeMapping = exact ? .exactArrayMapping : .rank5ArrayMapping
    }
  }

  /// The layer's answer, by the formula.
  private func normalised(_ x: [Double]) -> [Double] {
    let (factors, offsets) = ([1.0, 2, 3, 4], [0.0, 0, 1, -1])
    return x.indices.map { index in
      let group = Array(x[index / 6 * 6..<index / 6 * 6 + 6])
      let mean = group.reduce(0, +) / 6
      let variance = group.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 6
      let channel = index / 3 % 4
      return (x[index] - mean) / (variance + 0.001).squareRoot() * factors[channel] + offsets[channel]
    }
  }

  @Test(arguments: [true, false]) func groupsOfChannels(exact: Bool) throws {
    let scratch = try Scratch()
    let path = scratch.file("custom.mlmodel")
    try model(exact: exact).serializedData().write(to: URL(filePath: path))
    var layers = CustomLayers()
    try layers.add("groupnorm", Self.groupNorm)
    let main = try CoreMLPackage.read(path, custom: layers).main
    try main.verify()
    let x = Tensor(.float32, exact ? [2, 4, 1, 3] : [4, 1, 3], (0..<(exact ? 24 : 12)).map { Double($0 * $0 % 7) })
    let y = try Interpreter(main).run([x])[0]
    #expect(y.shape == x.shape)
    for (found, wanted) in zip(y.doubles, normalised(x.doubles)) { #expect(abs(found - wanted) < 1e-5) }
  }

  /// Weights of two bits: by a table, and by scale and bias.
  @Test func weightsOfFewBits() throws {
    let scratch = try Scratch()
    var quantised = model(exact: true)
    quantised.neuralNetwork.layers[0].custom.weights = [
      .with {
        $0.rawValue = Data([0b00_01_10_11])
        $0.quantization.numberOfBits = 2
        $0.quantization.lookupTableQuantization.floatValue = [1, 2, 3, 4]
      },
      .with {
        $0.rawValue = Data([0b01_01_10_00])
        $0.quantization.numberOfBits = 2
        ($0.quantization.linearQuantization.scale, $0.quantization.linearQuantization.bias) = ([1], [-1])
      },
    ]
    var layers = CustomLayers()
    try layers.add("groupnorm", Self.groupNorm)
    let x = Tensor(.float32, [2, 4, 1, 3], (0..<24).map { Double($0 * $0 % 7) })
    let answers = try [model(exact: true), quantised].map { model in
      let path = scratch.file("custom.mlmodel")
      try model.serializedData().write(to: URL(filePath: path))
      return try Interpreter(CoreMLPackage.read(path, custom: layers).main).run([x])[0]
    }
    #expect(answers[0] == answers[1])
  }

  @Test func withoutItsMeaningItIsListed() throws {
    let scratch = try Scratch()
    let path = scratch.file("custom.mlmodel")
    try model(exact: true).serializedData().write(to: URL(filePath: path))
    let error = #expect(throws: Diagnostic.self) { try CoreMLPackage.read(path) }
    #expect(error?.id == "coreml.unsupported" && error?.notes.first?.contains("groupnorm") == true)
  }
}
