import CoreVideo
import MLCCore
import MLCPackage
import MLCRuntime

/// A prediction into arrays of the caller's, and states into theirs.
struct BackedPrediction {
  private let model: MLCRuntime.Model
  private let features: ModelFeatures
  private let backings: [String: Any]

  init(_ model: MLCRuntime.Model, _ features: ModelFeatures, _ backings: [String: Any]) {
    (self.model, self.features, self.backings) = (model, features, backings)
  }

  /// `inputs` are all that the function has, `states` the memory that takes what outputs by number hold for states.
  ///
  /// Throws `MLModelError.featureType` for a backing that is no output's, no array, or of another type, shape or
  /// layout.
  func run(
    _ inputs: [Tensor],
    states: [Int: UnsafeMutableRawPointer] = [:]
  ) throws -> any MLFeatureProvider {
    let (tensors, arrays) = try outputs(inputs, states: states)
    return try values(tensors) { arrays[$0] }
  }

  /// The caller's outputs, each with its array where the caller gave one. Throws as `run` does.
  func outputs(
    _ inputs: [Tensor],
    states: [Int: UnsafeMutableRawPointer]
  ) throws -> (tensors: [Tensor], arrays: [MLMultiArray?]) {
    let ports = model.interface.outputs
    for name in backings.keys where !model.interface.callerOutputs.contains(where: { $0.name == name }) {
      throw MLModelError(.featureType, "the model has no output '\(name)' that a backing could take")
    }
    if ports.contains(where: { model.interface.elementLimit($0.type) != nil || $0.type.dtype == .string }) {
      return try runOpen(inputs, states)
    }
    let sizes = try reporting { () throws(Diagnostic) in try model.outputByteCounts(for: inputs) }
    var memory: [UnsafeMutableRawBufferPointer] = []
    var results: [Output] = []
    for (index, port) in ports.enumerated() {
      if let state = states[index] {
        memory.append(UnsafeMutableRawBufferPointer(start: state, count: sizes[index]))
        continue
      }
      let array = try backing(port, sizes[index])
      let fresh = try array == nil ? reporting { () throws(Diagnostic) in try FreshMemory(sizes[index]) } : nil
      results.append(Output(place: index, array: array, fresh: fresh))
      memory.append(UnsafeMutableRawBufferPointer(start: array?.base ?? fresh?.base, count: sizes[index]))
    }
    let shapes = try reporting { () throws(Diagnostic) in try model.predict(inputs, into: memory) }
    var tensors: [Tensor] = []
    for result in results {
      let (dtype, shape) = (ports[result.place].type.dtype, shapes[result.place])
      if let array = result.array { try check(array, shape, ports[result.place].name) }
      if let tensor = result.fresh?.tensor(dtype, shape) ?? result.array?.tensor(dtype) { tensors.append(tensor) }
    }
    return (tensors, results.map(\.array))
  }

  /// One of the caller's outputs: its number, and its array or new memory.
  private struct Output {
    let place: Int, array: MLMultiArray?, fresh: FreshMemory?
  }

  /// Where data decides how large outputs are, or outputs are texts: what is computed is copied into the arrays that it
  /// fits.
  private func runOpen(
    _ inputs: [Tensor],
    _ states: [Int: UnsafeMutableRawPointer]
  ) throws -> (tensors: [Tensor], arrays: [MLMultiArray?]) {
    let outputs = try reporting { () throws(Diagnostic) in try model.predict(inputs) }
    var (arrays, tensors) = ([MLMultiArray?](), [Tensor]())
    for (index, port) in model.interface.outputs.enumerated() where states[index] == nil {
      let array = try backing(port, outputs[index].byteCount)
      if let array { try check(array, outputs[index].shape, port.name) }
      arrays.append(array)
      tensors.append(outputs[index])
    }
    // Nothing is written before all of it fits.
    for (array, tensor) in zip(arrays, tensors) {
      if let array { copy(tensor, to: array.base) }
    }
    for (index, state) in states { copy(outputs[index], to: state) }
    return (tensors, arrays)
  }

  private func copy(_ tensor: Tensor, to memory: UnsafeMutableRawPointer) {
    tensor.withBytes { UnsafeMutableRawBufferPointer(start: memory, count: $0.count).copyMemory(from: $0) }
  }

  /// The features of what the ports hold; those that are arrays, and have one of the caller's, are that.
  private func values(_ tensors: [Tensor], _ array: (Int) -> MLMultiArray?) throws -> any MLFeatureProvider {
    var values: [String: MLFeatureValue] = [:]
    var place = 0
    for feature in features.outputs {
      let ports = place..<place + feature.ports.count
      place = ports.upperBound
      if let array = array(place - 1) {
        values[feature.name] = MLFeatureValue(multiArray: array)
      } else if let image = feature.image, let buffer = pixelBuffer(feature.name) {
        try image.write(tensors[place - 1], to: buffer)
        values[feature.name] = MLFeatureValue(pixelBuffer: buffer)
      } else {
        values[feature.name] = try FeatureTensors.value(feature, Array(tensors[ports]))
      }
    }
    return MLDictionaryFeatureProvider(values: values)
  }

  /// The caller's array for an output; `nil` when there is none.
  private func backing(_ port: FunctionInterface.Port, _ byteCount: Int) throws -> MLMultiArray? {
    guard let value = backings[port.name] else { return nil }
    if pixelBuffer(port.name) != nil, features.outputs.contains(where: { $0.name == port.name && $0.image != nil }) {
      return nil
    }
    guard let array = value as? MLMultiArray ?? (value as? MLFeatureValue)?.multiArrayValue, isArray(port) else {
      throw MLModelError(.featureType, "the backing of output '\(port.name)' is no multi-array, or the output is none")
    }
    guard array.dataType == port.type.dtype.sameBits, array.isDense, array.count * array.dataType.byteCount == byteCount
    else {
      throw MLModelError(
        .featureType,
        "the backing of output '\(port.name)' must be a contiguous array of \(port.type) with \(byteCount) bytes"
      )
    }
    return array
  }

  /// The caller's pixel buffer for an output; `nil` when there is none.
  private func pixelBuffer(_ name: String) -> CVPixelBuffer? {
    backings[name] as? CVPixelBuffer ?? (backings[name] as? MLFeatureValue)?.imageBufferValue
  }

  private func isArray(_ port: FunctionInterface.Port) -> Bool {
    switch model.interface.features.outputs.first(where: { $0.ports.contains(port.name) })?.form {
    case nil, .array?, .image?: true
    default: false
    }
  }

  private func check(_ array: MLMultiArray, _ shape: [Int], _ name: String) throws {
    guard array.layout.shape == shape else {
      throw MLModelError(.featureType, "output '\(name)' has the shape \(shape), its backing \(array.layout.shape)")
    }
  }
}
