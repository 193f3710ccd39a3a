import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// The memory of a stateful model between predictions. Two states of a model are independent of each other; predictions
/// that use the same one wait for one another.
public final class MLState: NSObject, @unchecked Sendable {  // buffers are used under the lock only
  private let lock = NSLock()
  let model: MLCRuntime.Model
  /// For each state of the model what it holds, and memory for what it will hold next.
  private var buffers: [(now: MLMultiArray, next: MLMultiArray)]

  /// Zeros.
  init(_ model: MLCRuntime.Model) {
    self.model = model
    buffers = model.interface.states.map { state in
      let type = model.interface.inputs[state.input].type
      let shape = type.shape.map { $0.constant ?? 0 }
      let dataType = type.dtype.sameBits ?? .float32
      let strides = ArrayLayout.denseStrides(shape)
      return (
        MLMultiArray(shape: shape, dataType: dataType, strides: strides),
        MLMultiArray(shape: shape, dataType: dataType, strides: strides)
      )
    }
  }

  /// Gives `body` what the state `stateName` holds, to read and to write. The array is valid during the closure only.
  public func withMultiArray<R>(for stateName: String, _ body: (MLMultiArray) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    guard let index = model.interface.states.firstIndex(where: { $0.name == stateName }) else {
      preconditionFailure("the model has no state '\(stateName)'")
    }
    return try body(buffers[index].now)
  }

  /// Gives `body` what the model's only state holds. Throws `MLModelError.generic` when it has none or several.
  public func withMultiArray<R>(_ body: (MLMultiArray) -> R) throws -> R {
    lock.lock()
    defer { lock.unlock() }
    guard buffers.count == 1 else {
      throw MLModelError(.generic, "the model has \(buffers.count) states; name one: withMultiArray(for:)")
    }
    return body(buffers[0].now)
  }

  /// `body`, when nobody else uses the state.
  private func locked<R>(_ body: () throws -> R) rethrows -> R {
    if !lock.try() {
      let start = Trace.begin()
      lock.lock()
      Trace.end("wait for a state", start)
    }
    defer { lock.unlock() }
    return try body()
  }

  /// What `run` makes of all inputs, the caller's and those of states, and of the memory for what states hold then, by
  /// output. What the states hold changes only when it succeeds.
  func predict<Result>(
    _ inputs: [Tensor],
    _ run: ([Tensor], [Int: UnsafeMutableRawPointer]) throws -> Result
  ) throws -> Result {
    try locked {
      let interface = model.interface
      var all: [Tensor] = []
      var rest = inputs.makeIterator()
      for place in interface.inputs.indices {
        if let index = interface.states.firstIndex(where: { $0.input == place }) {
          all.append(buffers[index].now.tensor(interface.inputs[place].type.dtype))
        } else if let tensor = rest.next() {
          all.append(tensor)
        }
      }
      var memory: [Int: UnsafeMutableRawPointer] = [:]
      for (index, state) in interface.states.enumerated() { memory[state.output] = buffers[index].next.base }
      let result = try run(all, memory)
      for index in buffers.indices { buffers[index] = (buffers[index].next, buffers[index].now) }
      return result
    }
  }
}

extension MLModel {
  /// A new state, all zeros. A model without states gives an empty one.
  public func makeState() -> MLState { MLState(runtime) }

  /// The outputs for these inputs and what `state` holds, which it then changes. Throws as predictions without a state
  /// do, and `MLModelError.generic` for another model's state.
  public func prediction(
    from inputFeatures: any MLFeatureProvider,
    using state: MLState
  ) throws -> any MLFeatureProvider {
    try predict(inputFeatures, state, [:])
  }

  /// The outputs for these inputs and what `state` holds, those that have a backing in it. Throws as the form without
  /// options does, and `MLModelError.featureType` for backings that do not fit, which leave the state as it was.
  public func prediction(
    from inputFeatures: any MLFeatureProvider,
    using state: MLState,
    options: MLPredictionOptions
  ) throws -> any MLFeatureProvider {
    try predict(inputFeatures, state, options.outputBackings)
  }

  /// The outputs for these inputs and what `state` holds, computed off the caller's actor. Throws as the synchronous
  /// form does, and `CancellationError` when the task was cancelled: before the prediction begins, so that the state is
  /// as it was.
  public func prediction(
    from inputFeatures: any MLFeatureProvider,
    using state: MLState,
    options: MLPredictionOptions = MLPredictionOptions()
  ) async throws -> any MLFeatureProvider {
    let given = Handed((inputFeatures, options.outputBackings))
    return try await work.run { Handed(try self.predict(given.value.0, state, given.value.1)) }.value
  }

  private func predict(
    _ input: any MLFeatureProvider,
    _ state: MLState,
    _ backings: [String: Any]
  ) throws -> any MLFeatureProvider {
    guard state.model === runtime else {
      throw MLModelError(.generic, "the state belongs to another model; make one with this model's makeState()")
    }
    let tensors = try FeatureTensors.inputs(features, from: input)
    let prediction = BackedPrediction(runtime, features, backings)
    return try state.predict(tensors) { try prediction.run($0, states: $1) }
  }
}
