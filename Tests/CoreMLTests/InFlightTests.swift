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

  @Test func othersGoOnMeanwhile() async throws {
    let model = try Self.model(inFlight: 8)
    let gates = try (0..<8).map { _ in try Gate() }
    let tasks = gates.map { Self.begin(model, $0) }
    try await Self.untilBegun(gates)
    for gate in gates { gate.open() }
    for task in tasks { #expect(try await task.value) }
  }
}
