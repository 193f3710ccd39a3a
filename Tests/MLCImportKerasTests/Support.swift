import MLCCore
import MLCGraph
import MLCHDF5
import MLCImportKeras

/// Models written down as text, without a file.
enum Written {
  /// A whole-model file: its description, weights by layer in the order of the file, and what it was compiled with.
  static func file(
    _ model: String,
    weights: [String: [Tensor]] = [:],
    version: String = "3.0.0",
    training: String? = nil
  ) throws(Diagnostic) -> KerasFile {
    var root = HDF5Object("/", .group)
    root.attributes = [text("model_config", [model]), text("keras_version", [version])]
    if let training { root.attributes.append(text("training_config", [training])) }
    var objects = [root, HDF5Object("/model_weights", .group)]
    for (layer, tensors) in weights.sorted(by: { $0.key < $1.key }) {
      var group = HDF5Object("/model_weights/\(layer)", .group)
      group.attributes = [text("weight_names", tensors.indices.map { "w\($0)" })]
      objects.append(group)
      for (index, tensor) in tensors.enumerated() {
        var object = HDF5Object("/model_weights/\(layer)/w\(index)", .dataset)
        object.dataset = HDF5Dataset(
          type: tensor.dtype.rawValue,
          shape: tensor.shape,
          storage: "contiguous",
          filters: [],
          tensor: tensor
        )
        objects.append(object)
      }
    }
    return try KerasFile.whole(HDF5File(objects))
  }

  private static func text(_ name: String, _ strings: [String]) -> HDF5Attribute {
    HDF5Attribute(name: name, type: "string", shape: [strings.count], value: .strings(strings))
  }

  /// A sequence of layers, each `"Class": {settings}`, named `l0`, `l1` …, on an input `x` of `shape`.
  static func sequence(_ shape: String, _ layers: [(String, String)], dtype: String = "float32") -> String {
    let input = #"{"class_name":"InputLayer","config":{"name":"x","batch_shape":\#(shape),"dtype":"\#(dtype)"}}"#
    let rest = layers.enumerated().map { index, layer in
      let settings = layer.1.isEmpty ? "" : ",\(layer.1)"
      return #"{"class_name":"\#(layer.0)","config":{"name":"l\#(index)"\#(settings)}}"#
    }
    return #"{"class_name":"Sequential","config":{"name":"s","layers":[\#(([input] + rest).joined(separator: ","))]}}"#
  }

  static func program(
    _ model: String,
    weights: [String: [Tensor]] = [:],
    version: String = "3.0.0",
    bindings: [String: TensorType] = [:]
  ) throws(Diagnostic) -> Program {
    try KerasImporter(file: "m.h5", bindings: bindings).program(try file(model, weights: weights, version: version))
  }

  /// What importing `model` throws, `nil` when it does not.
  static func problem(
    _ model: String,
    weights: [String: [Tensor]] = [:],
    bindings: [String: TensorType] = [:]
  ) -> Diagnostic? {
    do throws(Diagnostic) { _ = try program(model, weights: weights, bindings: bindings) } catch { return error }
    return nil
  }

  /// The one output of `model` on `x`.
  static func run(
    _ model: String,
    _ x: Tensor,
    weights: [String: [Tensor]] = [:],
    version: String = "3.0.0"
  ) throws(Diagnostic) -> Tensor {
    let function = try program(model, weights: weights, version: version).main
    try function.verify()
    return try Interpreter(function).run([x])[0]
  }
}
