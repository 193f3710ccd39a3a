import CoreML
import Foundation
import Testing

@testable import ModelManager

@Suite struct ModelManagerTests {
  /// The two compiled models, and the bytes of each.
  private static func withModels(
    _ body: (_ double: URL, _ treble: URL, _ bytes: Int) async throws -> Void
  ) async throws {
    try await Samples.inFolder { folder in
      let store = try ModelStore(folder: folder, compile: Samples.compile)
      let double = try await store.compiled(try Samples.model("double.onnx"))
      let treble = try await store.compiled(try Samples.model("treble.onnx"))
      try await body(double, treble, max(try ModelContent.size(double), try ModelContent.size(treble)))
    }
  }

  /// The loader waits while all ask.
  @Test func askersShareOneLoad() async throws {
    try await Self.withModels { double, _, bytes in
      let (counter, gate) = (Counter(), Gate())
      let manager = ModelManager(budget: 2 * bytes) { url in
        await counter.add()
        await gate.pass()
        return try await MLModel.load(contentsOf: url)
      }
      let answers = try await withThrowingTaskGroup { group in
        for asker in 0..<4 {
          // Half of them write it as if it were a file.
          let url = URL(fileURLWithPath: double.path, isDirectory: asker < 2)
          group.addTask { try await manager.withModel(at: url) { (try Samples.answers($0), ObjectIdentifier($0)) } }
        }
        while await counter.count == 0 { await Task.yield() }
        try await Task.sleep(for: .milliseconds(50))
        await gate.open()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.map(\.0) == Array(repeating: [2, 4, 6, 8, 10], count: 4))
      #expect(Set(answers.map(\.1)).count == 1)
      #expect(await counter.count == 1)
    }
  }

  @Test func theLeastRecentlyUsedGoesFirst() async throws {
    try await Self.withModels { double, treble, bytes in
      let manager = ModelManager(budget: 2 * bytes)
      for url in [double, treble, double] { _ = try await manager.withModel(at: url, Samples.answers) }
      #expect(await manager.loaded == [treble, double])
      #expect(await manager.bytes > bytes)
      await manager.setBudget(bytes)
      #expect(await manager.loaded == [double])
      #expect(await manager.bytes <= bytes)
      // Another one takes its place, and answers right.
      let answers = try await manager.withModel(at: treble, Samples.answers)
      #expect(answers == [3, 6, 9, 12, 15])
      #expect(await manager.loaded == [treble])
      await manager.setBudget(0)
      #expect(await manager.loaded.isEmpty)
    }
  }

  /// A model that has left memory is gone, once the thread that loaded it has handed it over: nobody else holds it.
  @Test func whatIsInUseStays() async throws {
    try await Self.withModels { double, _, _ in
      let manager = ModelManager(budget: 1 << 30)
      let model = WeakModel()
      let answers = try await manager.withModel(at: double) { loaded in
        model.set(loaded)
        await manager.setBudget(0)
        #expect(await manager.loaded == [double])
        return try Samples.answers(loaded)
      }
      #expect(answers == [2, 4, 6, 8, 10])
      #expect(await manager.loaded.isEmpty)
      // Ends by that alone.
      while !model.isGone { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test func aLoadThatFailsIsTriedAgain() async throws {
    try await Self.withModels { double, _, bytes in
      let counter = Counter()
      let manager = ModelManager(budget: bytes) { url in
        await counter.add()
        if await counter.count == 1 { throw CocoaError(.fileReadUnknown) }
        return try await MLModel.load(contentsOf: url)
      }
      await #expect(throws: CocoaError.self) { try await manager.withModel(at: double, Samples.answers) }
      #expect(await manager.loaded.isEmpty)
      let answers = try await manager.withModel(at: double, Samples.answers)
      #expect(answers == [2, 4, 6, 8, 10])
      // What fails in the body is the asker's: the model stays.
      await #expect(throws: CocoaError.self) {
        try await manager.withModel(at: double) { _ in throw CocoaError(.userCancelled) }
      }
      #expect(await manager.loaded == [double])
      #expect(await counter.count == 2)
    }
  }

  @Test func whoeverIsCancelledTakesTheModelFromNobody() async throws {
    try await Self.withModels { double, _, bytes in
      let (counter, gate) = (Counter(), Gate())
      let manager = ModelManager(budget: bytes) { url in
        await counter.add()
        await gate.pass()
        return try await MLModel.load(contentsOf: url)
      }
      let first = Task { try await manager.withModel(at: double, Samples.answers) }
      while await counter.count == 0 { await Task.yield() }
      first.cancel()
      let second = Task { try await manager.withModel(at: double, Samples.answers) }
      await gate.open()
      let answers = try await second.value
      #expect(answers == [2, 4, 6, 8, 10])
      _ = await first.result
      #expect(await counter.count == 1)
    }
  }
}

private final class WeakModel: @unchecked Sendable {  // under the lock
  private let lock = NSLock()
  private weak var model: MLModel?
  func set(_ model: MLModel) { lock.withLock { self.model = model } }
  var isGone: Bool { lock.withLock { model == nil } }
}
