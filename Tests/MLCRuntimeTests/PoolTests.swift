import CMLCKernelABI
import Foundation
import Testing

@Suite struct PoolTests {
  /// Adds 1 to each element of the int32 buffer 0 that a task stands for, and counts tasks in the worker's scratch.
  private static let count: mlc_kernel = { _, buffers, scratch, begin, end in
    let out = buffers![0]!.assumingMemoryBound(to: Int32.self)
    for task in Int(begin)..<Int(end) { out[task] += 1 }
    UnsafeMutableRawPointer(scratch!).assumingMemoryBound(to: Int64.self).pointee += end - begin
  }

  /// Runs regions of 0 to 96 tasks; how many results are wrong.
  private static func stress(_ pool: OpaquePointer, rounds: Int) -> Int {
    let workers = Int(mlc_pool_workers(pool))
    let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: workers * 16)
    scratch.initialize(repeating: 0, count: workers * 16)
    let out = UnsafeMutablePointer<Int32>.allocate(capacity: 97)
    out.initialize(repeating: 0, count: 97)
    defer {
      scratch.deallocate()
      out.deallocate()
    }
    var frame = mlc_frame()
    frame.scratch = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: CChar.self)
    frame.scratch_stride = 128
    var wrong = 0
    let buffers: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(out)]
    var total = 0
    for round in 0..<rounds {
      let tasks = round % 97
      out.update(repeating: 0, count: 97)
      mlc_pool_parallel(UnsafeMutableRawPointer(pool), count, &frame, buffers, Int64(tasks))
      for index in 0..<97 where out[index] != (index < tasks ? 1 : 0) { wrong += 1 }
      total += tasks
    }
    let counted = (0..<workers).reduce(0) { $0 + Int(scratch[$1 * 16]) }
    return wrong + (counted == total ? 0 : 1)
  }

  @Test func doesEveryTaskOnce() throws {
    for workers in [1, 2, 3, 8] {
      let pool = try #require(mlc_pool_create(Int32(workers)))
      #expect(Int(mlc_pool_workers(pool)) == workers)
      #expect(Self.stress(pool, rounds: 5000) == 0, "\(workers) workers")
      mlc_pool_destroy(pool)
    }
  }

  @Test func servesManyCallersAtOnce() throws {
    let pool = try #require(mlc_pool_create(4))
    let shared = Int(bitPattern: pool)
    let wrong = Counter()
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      if Self.stress(OpaquePointer(bitPattern: shared)!, rounds: 2000) != 0 { wrong.increment() }
    }
    #expect(wrong.value == 0)
    mlc_pool_destroy(pool)
  }

  /// What tasks in phases compute: each sums up, each in its own way, what all tasks of its group's phase before left.
  private static let sums: mlc_kernel = { _, buffers, _, begin, end in
    let work = buffers![1]!.assumingMemoryBound(to: mlc_phases.self).pointee
    let values = buffers![0]!.assumingMemoryBound(to: UInt32.self)
    for task in begin..<end {
      let (own, phase, group) = (task % work.tasks, task / work.tasks % work.phases, task / work.tasks / work.phases)
      let row = values + Int(group * 2 * work.tasks)
      let (from, to) = (row + Int(phase % 2 * work.tasks), row + Int((1 - phase % 2) * work.tasks))
      var sum = UInt32(truncatingIfNeeded: own)
      for other in 0..<Int(work.tasks) { sum = sum &* 31 &+ from[other] }
      to[Int(own)] = sum
    }
  }

  /// What is left of `values` when `run` has worked on them.
  private static func played(
    _ values: [UInt32],
    _ work: mlc_phases,
    _ run: (_ buffers: [UnsafeMutableRawPointer?]) -> Void
  ) -> [UInt32] {
    var (values, work) = (values, work)
    values.withUnsafeMutableBytes { values in
      withUnsafeMutableBytes(of: &work) { run([values.baseAddress, $0.baseAddress]) }
    }
    return values
  }

  /// Runs up to 4 groups of up to 40 phases of up to 8 tasks; how many of `rounds` differ from what one thread makes.
  private static func stressPhases(_ pool: OpaquePointer, rounds: Int) -> Int {
    let workers = Int(mlc_pool_workers(pool))
    let scratch = UnsafeMutablePointer<CChar>.allocate(capacity: workers * 128)
    defer { scratch.deallocate() }
    var frame = mlc_frame()
    (frame.scratch, frame.scratch_stride) = (scratch, 128)
    var wrong = 0
    for round in 0..<rounds {
      let work = mlc_phases(groups: Int64(round % 5), phases: Int64(round % 41), tasks: Int64(round % 9))
      let start = (0..<64).map { UInt32(truncatingIfNeeded: $0 * round) }
      mlc_pool_enter(pool)
      let divided = played(start, work) {
        mlc_pool_in_phases(UnsafeMutableRawPointer(pool), sums, &frame, $0, work)
      }
      mlc_pool_leave(pool)
      let whole = played(start, work) { sums(&frame, $0, scratch, 0, work.groups * work.phases * work.tasks) }
      if divided != whole { wrong += 1 }
    }
    return wrong
  }

  /// With more threads than cores too, and with callers that take turns at being alone.
  @Test func phasesFollowOneAnother() throws {
    for workers in [1, 2, 3, 8] {
      let pool = try #require(mlc_pool_create(Int32(workers)))
      #expect(Self.stressPhases(pool, rounds: 2000) == 0, "\(workers) workers")
      let shared = Int(bitPattern: pool)
      let wrong = Counter()
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        if Self.stressPhases(OpaquePointer(bitPattern: shared)!, rounds: 1000) != 0 { wrong.increment() }
      }
      #expect(wrong.value == 0, "\(workers) workers")
      mlc_pool_destroy(pool)
    }
  }

  /// A region inside a region finds the pool busy and runs on the thread that asks.
  @Test func runsNestedRegions() throws {
    let pool = try #require(mlc_pool_create(3))
    let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: 64)
    scratch.initialize(repeating: 0, count: 64)
    defer { scratch.deallocate() }
    let outer: mlc_kernel = { frame, buffers, _, begin, end in
      for task in Int(begin)..<Int(end) {
        var own = Int64(0)
        var inner = mlc_frame()
        withUnsafeMutableBytes(of: &own) { bytes in
          inner.scratch = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
          let row = buffers![0]!.assumingMemoryBound(to: Int32.self) + task * 10
          let rows: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(row)]
          mlc_pool_parallel(frame!.pointee.pool, PoolTests.count, &inner, rows, 10)
        }
      }
    }
    var results = [Int32](repeating: 0, count: 500)
    var frame = mlc_frame()
    frame.pool = UnsafeMutableRawPointer(pool)
    frame.scratch = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: CChar.self)
    frame.scratch_stride = 128
    results.withUnsafeMutableBytes { bytes in
      let buffers: [UnsafeMutableRawPointer?] = [bytes.baseAddress]
      mlc_pool_parallel(frame.pool, outer, &frame, buffers, 50)
    }
    #expect(results.allSatisfy { $0 == 1 })
    mlc_pool_destroy(pool)
  }

  /// Two runs on two threads leave each other alone: whoever asks does every task, in the scratch of worker 0.
  @Test func manyRunsKeepToThemselves() throws {
    let pool = try #require(mlc_pool_create(2))
    let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: 32)
    scratch.initialize(repeating: 0, count: 32)
    defer { scratch.deallocate() }
    var out = [Int32](repeating: 0, count: 4096)
    var frame = mlc_frame()
    frame.scratch = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: CChar.self)
    frame.scratch_stride = 128
    for _ in 0..<2 { mlc_pool_enter(pool) }
    for _ in 0..<200 {
      out.withUnsafeMutableBytes { bytes in
        let buffers: [UnsafeMutableRawPointer?] = [bytes.baseAddress]
        mlc_pool_parallel(UnsafeMutableRawPointer(pool), PoolTests.count, &frame, buffers, 4096)
      }
    }
    #expect(scratch[0] == 200 * 4096 && scratch[16] == 0)
    for _ in 0..<2 { mlc_pool_leave(pool) }
    #expect(Self.stress(pool, rounds: 500) == 0)
    mlc_pool_destroy(pool)
  }

  @Test func refusesImpossibleCounts() {
    for count: Int32 in [0, -1, 100_000] { #expect(mlc_pool_create(count) == nil) }
    mlc_pool_destroy(nil)
  }
}
