import Dispatch
import MLCCore
import MLCPackage
import MLCRuntime

extension MLModel {
  /// The outputs for these inputs, by their names. Inputs are computed if they are not; theirs and the model's work is
  /// done off the caller's thread.
  ///
  /// Numbers are tensors of one element without axes; integers of 64 bits are `Int32`, `Double` and what `Float` holds
  /// exactly are `Float`. Throws `MLModelError.featureType` for inputs that do not fit the model's description and for
  /// models with inputs or outputs that are no arrays, numbers or pictures, `generic` for what goes wrong on the way,
  /// and `CancellationError`.
  public func prediction(from inputs: [String: MLTensor]) async throws -> [String: MLTensor] {
    guard runtime.interface.states.isEmpty else {
      throw MLModelError(
        .generic,
        "the model keeps states between predictions: make one with makeState() and give it to prediction(from:using:)"
      )
    }
    return try await predict(inputs) { tensors in
      try reporting { () throws(Diagnostic) in try self.runtime.predict(tensors) }
    }
  }

  /// The outputs for these inputs and what `state` holds, which the prediction changes. Throws as the other form does,
  /// and `MLModelError.generic` for another model's state.
  public func prediction(from inputs: [String: MLTensor], using state: MLState) async throws -> [String: MLTensor] {
    guard state.model === runtime else {
      throw MLModelError(.generic, "the state belongs to another model; make one with this model's makeState()")
    }
    return try await predict(inputs) { tensors in
      let prediction = BackedPrediction(self.runtime, self.features, [:])
      return try state.predict(tensors) { try prediction.outputs($0, states: $1).tensors }
    }
  }

  private func predict(
    _ inputs: [String: MLTensor],
    _ run: @escaping @Sendable ([Tensor]) throws -> [Tensor]
  ) async throws -> [String: MLTensor] {
    try Task.checkCancellation()
    var values: [String: TensorValue] = [:]
    for (name, tensor) in inputs { values[name] = try await TensorEvaluator.valueUnlessCancelled(of: tensor.node) }
    let tensors = try NamedTensors.inputs(features, values)
    let names = features
    let outputs = try await work.run { try NamedTensors.outputs(names.outputs, try run(tensors)) }
    try Task.checkCancellation()
    return outputs
  }
}

/// Tensors for a model's ports, and from them.
private enum NamedTensors {
  static func inputs(_ features: ModelFeatures, _ values: [String: TensorValue]) throws -> [Tensor] {
    try features.inputs.flatMap { feature -> [Tensor] in
      guard let value = values[feature.name] else {
        if let absent = feature.absent(features.symbols) { return absent }
        let names = features.inputs.map { "'\($0.name)'" }.joined(separator: ", ")
        throw MLModelError(
          .featureType,
          "there is no tensor for the feature '\(feature.name)'; the model takes \(names)"
        )
      }
      guard feature.ports.count == 1, let tensor = value.tensor(feature.port.type) else {
        let types = feature.ports.map { "\($0.type)" }.joined(separator: " and ")
        throw MLModelError(
          .featureType,
          "the feature '\(feature.name)' is \(types), a tensor \(value.shape) of \(value.kind.scalarType) was given"
        )
      }
      return [tensor]
    }
  }

  static func outputs(_ features: [CallerFeature], _ tensors: [Tensor]) throws -> [String: MLTensor] {
    var (result, rest): ([String: MLTensor], ArraySlice<Tensor>) = ([:], tensors[...])
    for feature in features {
      guard feature.ports.count == 1, let tensor = rest.first, tensor.dtype != .string else {
        throw MLModelError(.featureType, "the output '\(feature.name)' is no array: ask for features, not for tensors")
      }
      result[feature.name] = try MLTensor(tensor, output: feature.name)
      rest = rest.dropFirst()
    }
    return result
  }
}

extension ScalarKind {
  /// The runtime's type of the very same elements.
  fileprivate var dtype: DType {
    switch self {
    case .float32: .float32
    case .float16: .float16
    case .int32: .int32
    case .int16: .int16
    case .int8: .int8
    case .uint32: .uint32
    case .uint16: .uint16
    case .uint8: .uint8
    case .bool: .bool
    }
  }
}

extension TensorValue {
  /// A tensor of the port's type: a view where the elements are of that type, a converted copy else. `nil` for texts.
  fileprivate func tensor(_ type: TensorType) -> Tensor? {
    if type.dtype == .string { return nil }
    let shape = type.rank == 0 && self.shape == [1] ? [] : self.shape
    let bytes = UnsafeRawBufferPointer(start: base, count: count * kind.width)
    let own = Tensor(kind.dtype, shape, storage: Storage(viewing: bytes, of: memory))
    if kind.dtype == type.dtype { return own }
    guard let own else { return nil }
    return type.dtype.isInteger && !kind.isFloat
      ? Tensor(type.dtype, shape, own.integers) : Tensor(type.dtype, shape, own.doubles)
  }
}

extension MLTensor {
  /// A tensor of an output's elements: of its memory where there is its type.
  fileprivate init(_ tensor: Tensor, output name: String) throws {
    if let kind = ScalarKind.allCases.first(where: { $0.dtype == tensor.dtype }),
      let base = tensor.withBytes({ $0.baseAddress })
    {
      self.init(TensorNode(tensor.shape, kind, memory: TensorMemory(viewing: base, of: tensor)))
    } else if tensor.dtype.isFloat {
      self.init(shape: tensor.shape, scalars: tensor.doubles.map { Float($0) })
    } else {
      self.init(
        shape: tensor.shape,
        scalars: try tensor.integers.map { number in
          guard let narrow = Int32(exactly: number) else {
            throw MLModelError(
              .generic,
              "output '\(name)' holds \(number), which does not fit Core ML's 32-bit integers"
            )
          }
          return narrow
        },
        scalarType: Int32.self
      )
    }
  }
}
