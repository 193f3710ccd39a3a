import Synchronization
import Testing

@testable import Colorizer

@Suite struct GalleryTests {
  /// How many are at work, were at most, and have begun and ended.
  private final class Watch: Sendable {
    struct Counts { var (now, most, begun, ended) = (0, 0, 0, 0) }
    private let state = Mutex(Counts())
    var counts: Counts { state.withLock { $0 } }

    func begin() {
      state.withLock { counts in
        counts.begun += 1
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func end() {
      state.withLock { counts in
        counts.ended += 1
        counts.now -= 1
      }
    }
  }

  /// Each waits until as many are at work as may be, or are left: so the limit is reached, not only kept.
  @Test(arguments: [1, 3, 20]) func theLimitHoldsAndIsUsed(_ limit: Int) async throws {
    let (watch, count) = (Watch(), 12)
    let results = try await Gallery.map(Array(0..<count), limit: limit) { item in
      watch.begin()
      defer { watch.end() }
      while watch.counts.begun < min(limit, count) { await Task.yield() }
      // Time for one too many to begin.
      for _ in 0..<50 { await Task.yield() }
      return 10 * item
    }
    #expect(results == (0..<count).map { 10 * $0 })
    #expect(watch.counts.most == min(limit, count))
    #expect(watch.counts.begun == count && watch.counts.now == 0)
  }

  @Test func cancellationEndsEarlyAndLeavesNoWork() async throws {
    let watch = Watch()
    let task = Task {
      try await Gallery.map(Array(0..<100), limit: 4) { _ in
        watch.begin()
        defer { watch.end() }
        while true {
          try Task.checkCancellation()
          await Task.yield()
        }
      }
    }
    while watch.counts.now < 4 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(watch.counts.begun == 4 && watch.counts.ended == 4)
  }

  @Test func oneThatFailsEndsTheOthers() async throws {
    struct Failure: Error {}
    let watch = Watch()
    await #expect(throws: Failure.self) {
      try await Gallery.map(Array(0..<100), limit: 3) { item in
        watch.begin()
        defer { watch.end() }
        while watch.counts.begun < 3 { await Task.yield() }
        if item == 1 { throw Failure() }
        while true {
          try Task.checkCancellation()
          await Task.yield()
        }
      }
    }
    #expect(watch.counts.begun == 3 && watch.counts.now == 0)
  }

  /// Predictions themselves stop: a cancelled task gets no picture.
  @Test func aCancelledPictureIsNotColoured() async throws {
    let colorizer = try await Colorizer.load()
    let picture = try ColorizerTests.picture("coffee")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await colorizer.colorized(picture)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
