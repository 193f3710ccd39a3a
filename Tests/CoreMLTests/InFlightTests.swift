import CoreML
import Foundation
import Synchronization
import Testing

/// Asynchronous predictions wait for each other where the configuration says so, and keep nobody else waiting.
@Suite struct InFlightTests {
  /// Inputs that are read only once `open` has been called: the prediction that reads them keeps its thread until then.
  private final class Gate: MLFeatureProvider, @unchecked Sendable {  // the features are only read
    private let features: MLDictionaryFeatureProvider
    private let opened = DispatchSemaphore(value: 0)
    private let hasBegun = Atomic<Bool>(false)

    init() throws {
      features = try MLDictionaryFeatureProvider(
        dictionary: ["x": MLMultiArray(shape: [1, 3], dataType: .float32), "ids": MLMultiArray([1, 2])]
      )
    }

    var begun: Bool { hasBegun.load(ordering: .acquiring) }
    var featureNames: Set<String> { features.featureNames }

    func open() { opened.signal() }

    func featureValue(for name: String) -> MLFeatureValue? {
      hasBegun.store(true, ordering: .releasing)
      opened.wait()
      opened.signal()
      return features.featureValue(for: name)
    }
  }

  private static func model(inFlight: Int?) throws -> MLModel {
    let configuration = MLModelConfiguration()
    configuration.maximumPredictionsInFlight = inFlight
    return try MLModel(contentsOf: Models.affine.get(), configuration: configuration)
  }

  private static func begin(_ model: MLModel, _ gate: Gate) -> Task<Bool, any Error> {
    Task { try await model.prediction(from: gate).featureNames.contains("y") }
  }

  private static func untilBegun(_ gates: [Gate]) async throws {
    while !gates.allSatisfy({ $0.begun }) { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func asManyRunAsTheConfigurationSays() async throws {
    let model = try Self.model(inFlight: 2)
    #expect(model.configuration.maximumPredictionsInFlight == 2)
    let gates = try (0..<3).map { _ in try Gate() }
    let first = gates.prefix(2).map { Self.begin(model, $0) }
    try await Self.untilBegun(Array(gates.prefix(2)))
    let third = Self.begin(model, gates[2])
    try await Task.sleep(for: .milliseconds(50))
    #expect(!gates[2].begun)
    gates[0].open()
    try await Self.untilBegun(gates)
    for gate in gates { gate.open() }
    for task in first + [third] { #expect(try await task.value) }
  }

  @Test func whoWaitsIsCancelledAtOnce() async throws {
    let model = try Self.model(inFlight: 1)
    let gate = try Gate()
    let running = Self.begin(model, gate)
    try await Self.untilBegun([gate])
    let others = try (0..<100).map { _ in Self.begin(model, try Gate()) }
    for task in others { task.cancel() }
    // Ends although the first prediction does not.
    for task in others {
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
    }
    running.cancel()
    gate.open()
    let result = await running.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  /// A tensor whose computation keeps its thread busy until `open` has been called.
  private final class BusyTensor: Sendable {
    private let begun = Atomic<Bool>(false), opened = Atomic<Bool>(false)

    var hasBegun: Bool { begun.load(ordering: .acquiring) }
    func open() { opened.store(true, ordering: .releasing) }

    /// Lets go of its operand, and so of the memory that this test owns, when it is computed.
    func tensor() -> MLTensor {
      let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1)
      memory.initialize(repeating: 1)
      let deallocator = Data.Deallocator.custom { [self] bytes, _ in
        begun.store(true, ordering: .releasing)
        while !opened.load(ordering: .acquiring) { sched_yield() }
        bytes.deallocate()
      }
      let bytes = UnsafeRawBufferPointer(memory)
      return MLTensor(bytesNoCopy: bytes, shape: [1], scalarType: Float.self, deallocator: deallocator) + 1
    }
  }

  /// How many tensors are computed at a time.
  private static var cores: Int {
    let all = ProcessInfo.processInfo.activeProcessorCount
    return ProcessInfo.processInfo.environment["MLC_THREADS"].flatMap { Int($0) }.map { max($0, 1) } ?? all
  }

  private static func first(_ tensor: MLTensor) async -> Float { await tensor.shapedArray(of: Float.self).scalars[0] }

  /// As many tensors as there are cores keep them busy, more wait, and other tasks have their turn.
  @Test func othersGoOnWhileTensorsAreComputed() async throws {
    let cores = Self.cores
    let busy = (0..<3 * cores).map { _ in BusyTensor() }
    let tasks = busy.map { busy in Task { await Self.first(busy.tensor()) } }
    while busy.count(where: { $0.hasBegun }) < cores { try await Task.sleep(for: .milliseconds(1)) }
    for round in 0..<20 {
      try await Task.sleep(for: .milliseconds(5))
      let others = (0..<cores).map { number in Task { round + number } }
      for (number, other) in others.enumerated() { #expect(await other.value == round + number) }
    }
    // A prediction whose inputs wait for their turn ends when it is cancelled.
    let (model, x) = (try Self.model(inFlight: nil), MLTensor(zeros: [1, 3], scalarType: Float.self) + 1)
    let prediction = Task { try await model.prediction(from: ["x": x, "ids": MLTensor([1, 2])]) }
    try await Task.sleep(for: .milliseconds(20))
    prediction.cancel()
    await #expect(throws: CancellationError.self) { _ = try await prediction.value }
    #expect(busy.count { $0.hasBegun } == cores)
    for tensor in busy { tensor.open() }
    for task in tasks { #expect(await task.value == 2) }
  }

  @Test func cancelledTasksGetTheirTensors() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await Self.first((MLTensor(zeros: [1, 3], scalarType: Float.self) + 1).sum())
    }
    #expect(await task.value == 3)
  }

  @Test func othersGoOnMeanwhile() async throws {
    let model = try Self.model(inFlight: 8)
    let gates = try (0..<8).map { _ in try Gate() }
    let tasks = gates.map { Self.begin(model, $0) }
    try await Self.untilBegun(gates)
    for gate in gates { gate.open() }
    for task in tasks { #expect(try await task.value) }
  }
}
