import MLCCore
import MLCKernels
import Testing

/// Phases that are put together to rows: two and four, of rows that are no whole vectors, alone and added up where
/// those of neighbours overlap.
@Suite struct InterleavedTests {
  @Test(arguments: [(2, 64), (2, 29), (2, 9), (4, 33), (4, 16), (4, 3), (3, 20)])
  func phasesOfRows(_ count: Int, _ width: Int) throws {
    let shapes: [[Dim]] = [[3, Dim(count), Dim(width)], [3, Dim(width), Dim(count)]]
    let own = Scalar.load(param: 0, [.axis(0), .axis(2), .axis(1)])
    let before = Scalar.load(param: 0, [.axis(0), .axis(2), .axis(1) + .constant(-1)])
    let inside = Scalar.compare(.greaterEqual, .index(.axis(1) + .constant(-1), .int64), .integer(0, .int64))
    for value in [own, own + .select(inside, before, .constant(0, .float32))] {
      let nest = LoopNest(
        shapes[1].enumerated().map { Axis($0, $1) },
        [.store(param: 1, index: [.axis(0), .axis(1), .axis(2)], axes: [], value: value)]
      )
      let test = NestCase(name: "interleaved", tensors: shapes.map { NestCase.tensor(.float32, $0) }, nest: nest)
      for device in CompileAndRun.devices { try test.check(on: device) }
    }
  }

  /// Pixels of two phases that a position's quotient and remainder by two name.
  @Test(arguments: [30, 100]) func dividedPositions(_ width: Int) throws {
    let shapes: [[Dim]] = [[5, 2, Dim(width)], [5, Dim(2 * width)]]
    let nest = LoopNest(
      [Axis(0, 5), Axis(1, Dim(2 * width))],
      [
        .store(
          param: 1,
          index: [.axis(0), .axis(1)],
          axes: [],
          value: .load(param: 0, [.axis(0), Index.axis(1).modulo(2), Index.axis(1).dividedFloor(by: 2)])
        )
      ]
    )
    let test = NestCase(name: "interleaved", tensors: shapes.map { NestCase.tensor(.float32, $0) }, nest: nest)
    for device in CompileAndRun.devices { try test.check(on: device) }
  }
}
