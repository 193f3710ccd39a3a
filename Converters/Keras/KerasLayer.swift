import MLCCore
import MLCGraph

/// How a class of Keras layers becomes operations of the graph. One conforming type per class (or per family of truly
/// identical ones), one file each under `Layers/`, one row each in `KerasLayerTable`.
package protocol KerasLayer: Sendable {
  /// Classes, as `class_name` spells them.
  static var classNames: [String] { get }
  /// What becomes of the masks of the inputs.
  static var masks: KerasMaskRule { get }
  /// Whether a call of the layer `className` takes the masks off its inputs, for every call after it: a side effect of
  /// Keras 3.
  static func endsMasks(_ className: String) -> Bool
  /// Where an archive may file weight `index`, below the layer.
  static func archivePlaces(_ index: Int, _ config: KerasConfig) throws(Diagnostic) -> [String]
  /// The layer's own weights in the order in which it makes them.
  static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight]
  /// Layers inside, by the attribute that holds each.
  static func innerLayers(_ config: KerasConfig) throws(Diagnostic) -> [(key: String, layer: JSON)]
  /// Appends what a call of the layer means and gives its outputs.
  static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor]
}

extension KerasLayer {
  package static var masks: KerasMaskRule { .drops }
  package static func endsMasks(_ className: String) -> Bool { false }
  package static func archivePlaces(_ index: Int, _ config: KerasConfig) throws(Diagnostic) -> [String] {
    ["vars/\(index)"]
  }
  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] { [] }
  package static func innerLayers(_ config: KerasConfig) throws(Diagnostic) -> [(key: String, layer: JSON)] { [] }
}

/// What a layer does with the mask of its input.
package enum KerasMaskRule: Sendable {
  /// The outputs have it.
  case passes
  /// The outputs have none.
  case drops
  /// The layer computes with it and says what its outputs have.
  case uses
}

/// A weight that a layer has: its name, and whether it is trained.
package struct KerasWeight: Sendable {
  package var name: String, isTrained: Bool
  package init(_ name: String, trained isTrained: Bool = true) { (self.name, self.isTrained) = (name, isTrained) }
}

extension KerasConfig {
  /// What most layers have: `kernels`, and a bias unless the author wants none. Throws `keras.option` for kernels that
  /// are stored as integers or have others to be added to them.
  func weights(_ kernels: String...) throws(Diagnostic) -> [KerasWeight] {
    try requirePlainWeights()
    return kernels.map { KerasWeight($0) } + (try bool("use_bias", default: true) ? [KerasWeight("bias")] : [])
  }

  func requirePlainWeights() throws(Diagnostic) {
    guard self["lora_rank"] == nil, self["quantization_config"] == nil else {
      throw Diagnostic("keras.option", "LoRA and quantised weights are not supported", kind: .unsupported)
    }
  }
}

/// A tensor between layers.
package struct KerasTensor: Hashable, Sendable {
  package var value: ValueID
  /// Its channels, the last axis to Keras, stand behind the first axis: as convolutions take and give them.
  package var isChannelsFirst = false
  /// `bool[batch, steps]`, false where a step does not count.
  package var mask: ValueID?

  package init(_ value: ValueID, isChannelsFirst: Bool = false, mask: ValueID? = nil) {
    (self.value, self.isChannelsFirst, self.mask) = (value, isChannelsFirst, mask)
  }
}

/// One call of a layer.
package struct KerasCall: Sendable {
  package var layer: KerasLayerNode
  package var inputs: [KerasTensor]
  /// Tensors by the keyword they are passed as.
  package var keywords: [String: [KerasTensor]] = [:]
  /// What stands at each place of the call, numbers too, as Keras 3 writes it.
  package var arguments: [JSON] = []
  /// What stands behind each keyword.
  package var options: [String: JSON] = [:]
  package var config: KerasConfig { layer.config }

  /// Whether the call sets the option `name`. Throws `keras.config`.
  package func option(_ name: String) throws(Diagnostic) -> Bool {
    try KerasConfig(options).bool(name, default: false)
  }

  /// The one input. Throws `keras.inputs` when there are none.
  package func input() throws(Diagnostic) -> KerasTensor {
    guard let first = inputs.first else { throw Diagnostic("keras.inputs", "the layer is called with no tensor") }
    return first
  }
}
