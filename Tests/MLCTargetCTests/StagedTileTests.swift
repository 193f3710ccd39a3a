import MLCCore
import MLCKernels
import Testing

/// Transpositions that write rows about a multiple of 4 KiB apart: whole blocks of tiles, and what is left.
@Suite struct StagedTileTests {
  @Test(arguments: [(1, 1025, 70), (16, 192, 70), (2, 512, 64)])
  func rowsThatShareSets(_ b: Int, _ m: Int, _ n: Int) throws {
    let value = Scalar.load(param: 0, [.axis(0), .axis(1), .axis(2)])
    let nest = LoopNest(
      [Axis(0, Dim(b)), Axis(1, Dim(m)), Axis(2, Dim(n))],
      [.store(param: 1, index: [.axis(2), .axis(0), .axis(1)], axes: [], value: value)]
    )
    let shapes: [[Dim]] = [[Dim(b), Dim(m), Dim(n)], [Dim(n), Dim(b), Dim(m)]]
    let test = NestCase(name: "staged", tensors: shapes.map { NestCase.tensor(.float32, $0) }, nest: nest)
    for device in CompileAndRun.devices { try test.check(on: device) }
  }
}
