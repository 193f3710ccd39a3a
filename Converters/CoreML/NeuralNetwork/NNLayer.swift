import CoreMLProto
import MLCCore
import MLCGraph

/// One layer of a network.
struct NNLayer: Sendable {
  let spec: NNLayerSpec
  /// The layer's type as the schema spells it, `innerProduct`; empty for none.
  let kind: String

  init(_ spec: NNLayerSpec) {
    self.spec = spec
    kind = spec.layer.map(NNLayer.kind) ?? ""
  }

  /// What stands for an input or output of the network.
  init(named name: String) {
    var spec = NNLayerSpec()
    spec.name = name
    self.init(spec)
  }

  var name: String { spec.name.isEmpty ? spec.output.first ?? kind : spec.name }

  /// The schema's spelling of the case that holds the layer's parameters.
  private static func kind(_ layer: NNLayerSpec.OneOf_Layer) -> String {
    let label = Mirror(reflecting: layer).children.first?.label ?? ""
    if let spelling = spellings[label] { return spelling }
    return label.hasSuffix("Nd") ? label.dropLast() + "D" : label
  }

  private static let spellings = [
    "l2Normalize": "l2normalize", "uniDirectionalLstm": "uniDirectionalLSTM", "biDirectionalLstm": "biDirectionalLSTM",
    "clampedReLu": "clampedReLU", "pooling3D": "pooling3d", "globalPooling3D": "globalPooling3d",
    "convolution3D": "convolution3d", "nonMaximumSuppression": "NonMaximumSuppression",
  ]
}

/// How layers of a neural network become operations of the graph. One conforming type a layer, or a family of truly
/// similar ones, one file each under `Layers`, one row each in `NNLayerTable`.
///
/// Layers name axes C, H, W by their place from the end: −3, −2, −1.
protocol NNLayerRule: Sendable {
  /// Layer types as the schema spells them.
  static var kinds: [String] { get }
  /// Appends what the layer means and gives its outputs.
  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID]
}
