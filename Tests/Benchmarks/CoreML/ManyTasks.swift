import CoreML
import Foundation

/// How much of its memory a model gives back; of many tasks that predict with one, memory while two predictions are in
/// flight, how soon cancelled tasks end, and what all of them leave behind, which is not the model's.
func measureTasks(_ path: String) async throws {
  let url = URL(filePath: path)
  // What loading and predicting take once and for all is not the model's.
  _ = try await loaded(url, inFlight: 2)
  try await measureRelease(url)
  let before = try await settledBytes()
  try await measureStorms(url)
  print("tasks leave behind        \(megabytes(try await settledBytes() - before))")
}

private func measureRelease(_ url: URL) async throws {
  let before = try await settledBytes()
  var model: MLModel? = try await loaded(url, inFlight: 2)
  let with = try await settledBytes()
  withExtendedLifetime(model) {}
  model = nil
  let after = try await settledBytes()
  let given = Double(with - after) / Double(max(1, with - before))
  print("a loaded model            \(megabytes(with - before))")
  print("given back on release     \(String(format: "%10.1f", 100 * given)) %")
}

private func measureStorms(_ url: URL) async throws {
  let model = try await loaded(url, inFlight: 2)
  let inputs = try Inputs(model)
  let alone = try await medianPrediction(model, inputs)
  print(String(format: "one prediction            %10.3f ms, median of 15", alone * 1000))
  try await runBounded(model, inputs)
  try await cancelMost(model, inputs, alone)
}

/// Zeros for every input, which many predictions share.
private struct Inputs: @unchecked Sendable {  // only read
  let features: MLDictionaryFeatureProvider
  init(_ model: MLModel) throws { features = try zeros(model) }
}

private func loaded(_ url: URL, inFlight: Int) async throws -> MLModel {
  let configuration = MLModelConfiguration()
  configuration.maximumPredictionsInFlight = inFlight
  let model = try await MLModel.load(contentsOf: url, configuration: configuration)
  let inputs = try Inputs(model)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<inFlight { group.addTask { _ = try await model.prediction(from: inputs.features) } }
    try await group.waitForAll()
  }
  return model
}

private func medianPrediction(_ model: MLModel, _ inputs: Inputs) async throws -> Double {
  var times: [Double] = []
  for _ in 0..<15 {
    let start = ContinuousClock.now
    _ = try await model.prediction(from: inputs.features)
    times.append((ContinuousClock.now - start) / .seconds(1))
  }
  return times.sorted()[7]
}

/// 1,000 tasks at once.
private func runBounded(_ model: MLModel, _ inputs: Inputs) async throws {
  var (early, most, count) = (0, 0, 0)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<1000 { group.addTask { _ = try await model.prediction(from: inputs.features) } }
    while try await group.next() != nil {
      count += 1
      if count % 10 == 0 { most = max(most, ProcessMemory.now.resident) }
      if count == 100 { early = most }
    }
  }
  print("1,000 tasks, two in flight \(megabytes(most - early)) more than while the first 100 ended")
}

/// Of 1,000 tasks that predict, 900 are cancelled after the first has ended.
private func cancelMost(_ model: MLModel, _ inputs: Inputs, _ alone: Double) async throws {
  let tasks = (0..<1000).map { _ in Task { _ = try await model.prediction(from: inputs.features) } }
  try await tasks[0].value
  let start = ContinuousClock.now
  for task in tasks.dropFirst(100) { task.cancel() }
  var cancelled = 0
  for task in tasks.dropFirst(100) {
    if case .failure = await task.result { cancelled += 1 }
  }
  let time = (ContinuousClock.now - start) / .seconds(1)
  print(
    String(
      format: "%d of 900 tasks cancelled  %10.2f predictions' time until the last has ended",
      cancelled,
      time / alone
    )
  )
  for task in tasks { task.cancel() }
  for task in tasks { _ = await task.result }
}

/// After what is being freed has been.
private func settledBytes() async throws -> Int {
  try await Task.sleep(for: .milliseconds(200))
  return ProcessMemory.now.resident
}

private func megabytes(_ bytes: Int) -> String { String(format: "%10.2f MB", Double(bytes) / 1e6) }
