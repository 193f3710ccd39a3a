import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import SwiftProtobuf

private typealias Model = CoreML_Specification_Model
private typealias Layer = CoreML_Specification_NeuralNetworkLayer

extension Rejection {
  /// Neural networks.
  static let networks: [Rejection] = [
    layer("coreml.compressed") { layer in
      layer.innerProduct = product
      layer.innerProduct.weights.rawValue = .init([0])
      layer.innerProduct.weights.quantization.numberOfBits = 9
    },
    layer("coreml.compressed") { layer in
      layer.innerProduct = product
      layer.innerProduct.weights.rawValue = .init([0])
      layer.innerProduct.weights.quantization.numberOfBits = 1
      layer.innerProduct.weights.quantization.lookupTableQuantization.floatValue = [0]
    },
    layer("coreml.constant") { $0.innerProduct = product },
    layer("coreml.constant") { layer in
      layer.innerProduct = product
      layer.innerProduct.weights.floatValue = [1, 2]
    },
    custom("text.operator", "func @f(%x: fp32[n]) -> (\"y\" = %y) { %y = frobnicate(x = %x) }"),
    custom("coreml.custom", "func @f() -> () { }\nfunc @g() -> () { }"),
    custom("coreml.custom", "func @f(%x: fp32[n], %gain: fp32[]) -> (\"y\" = %y) { %y = mul(x = %x, y = %gain) }"),
    custom("coreml.custom", "func @f(%x: fp32[a, b, c, d, e, f]) -> (\"y\" = %y) { %y = relu(x = %x) }"),
    custom(
      "coreml.custom",
      "func @f(%x: fp32[n], %weight0: fp32[n]) -> (\"y\" = %y) { %y = mul(x = %x, y = %weight0) }"
    ),
    custom("coreml.custom", "func @f() -> (\"y\" = %y) { %y = const {val = fp32[1](0.0)} }"),
    layer("coreml.loop") { layer in
      layer.output = []
      layer.loop.bodyNetwork.layers = [.with { ($0.input, $0.output, $0.expandDims.axes) = (["x"], ["x"], [0]) }]
    },
    layer("coreml.outputs") { $0.output.append("z") },
    layer("coreml.parameter") { $0.activation = .init() },
    layer("coreml.parameter") { $0.softmax = .init() },
    layer("coreml.parameter") { $0.input = [] },
    layer("coreml.undefined-value") { $0.input = ["z"] },
    layer("coreml.parameter") { $0.loopBreak = .init() },
    layer("coreml.parameter") { ($0.loop, $0.input) = (.init(), []) },
    layer("coreml.undefined-value") { $0.loop.conditionVar = "z" },
    layer("coreml.unsupported") { $0.layer = nil },
    layer("coreml.unsupported") { $0.custom.className = "Own" },
    whole("coreml.outputs") { $0.description_p.output = [] },
    whole("coreml.type") { $0.description_p.input[0].type.dictionaryType = .init() },
    whole("coreml.type") { $0.description_p.input[0].type.multiArrayType.shape = [0] },
    whole("coreml.undefined-value") { $0.description_p.output[0].name = "z" },
    whole("graph.repeated-name") { $0.description_p.input.append($0.description_p.input[0]) },
  ]

  /// `y = relu(x)` after `damage` to its layer.
  private static func layer(_ id: String, _ damage: @escaping @Sendable (inout Layer) -> Void) -> Rejection {
    whole(id) { damage(&$0.neuralNetwork.layers[0]) }
  }

  /// A custom layer of `[1]`, which means what `text` says.
  private static func custom(_ id: String, _ text: String) -> Rejection {
    Rejection(id) {
      var spec = relu
      spec.neuralNetwork.layers[0].custom.className = "Own"
      let folder = try ScratchFolder()
      var layers = CustomLayers()
      try layers.add("Own", text)
      let path = try folder.write([UInt8](try spec.serializedData()), to: "a.mlmodel")
      _ = try CoreMLPackage.read(path, custom: layers)
    }
  }

  private static func whole(_ id: String, _ damage: @escaping @Sendable (inout Model) -> Void) -> Rejection {
    Rejection(id) {
      var spec = relu
      damage(&spec)
      let folder = try ScratchFolder()
      _ = try CoreMLPackage.read(try folder.write([UInt8](try spec.serializedData()), to: "a.mlmodel"))
    }
  }

  private static var relu: Model {
    let array = CoreML_Specification_FeatureType.with {
      $0.multiArrayType.shape = [1]
      $0.multiArrayType.dataType = .float32
    }
    return .with {
      $0.specificationVersion = 4
      $0.description_p.input = [.with { ($0.name, $0.type) = ("x", array) }]
      $0.description_p.output = [.with { ($0.name, $0.type) = ("y", array) }]
      $0.neuralNetwork.arrayInputShapeMapping = .exactArrayMapping
      $0.neuralNetwork.layers = [
        .with {
          ($0.name, $0.input, $0.output) = ("r", ["x"], ["y"])
          $0.activation.reLu = .init()
        }
      ]
    }
  }

  private static var product: CoreML_Specification_InnerProductLayerParams {
    .with { ($0.inputChannels, $0.outputChannels) = (1, 1) }
  }
}
