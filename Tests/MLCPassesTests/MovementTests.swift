import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

/// What finds passes that move results finds them.
@Suite struct MovementTests {
  @Test func zeroAsksForEqualBits() {
    #expect(problem([1, .nan, .infinity, -0.0], [1, .nan, .infinity, -0.0], 0) == nil)
    #expect(problem([0], [-0.0], 0) != nil)
    #expect(problem([1], [Float(1).nextUp], 0) != nil)
    #expect(problem([.nan], [1], 0) != nil && problem([1], [.nan], 0) != nil)
  }

  /// Relative to the largest finite element of the tensor.
  @Test func toleranceScales() {
    #expect(problem([100, 0], [100, 0.9], 1e-2) == nil)
    #expect(problem([100, 0], [100, 1.1], 1e-2) != nil)
    #expect(problem([.infinity, 0], [.infinity, 1e-9], 1e-2) != nil)
    #expect(problem([1], [.nan], 1e-2) != nil && problem([1], [.infinity], 1e-2) != nil)
  }

  @Test func typesStay() {
    #expect(movement([Tensor([1], floats: [1])], [Tensor(.float64, [1], [1.0])], tolerance: 1) != nil)
    #expect(movement([Tensor(.int32, [1], [1])], [Tensor(.int32, [1], [2])], tolerance: 1) != nil)
    #expect(movement([Tensor([1], floats: [1])], [], tolerance: 1) != nil)
  }

  /// A pass that says too little of itself: x / 3 is not x · (1/3).
  @Test func inexactPassesAreFound() throws {
    let before = try function("%x: fp32[64]", "y", "%c = const {val = fp32[](3.0)}\n%y = real_div(x = %x, y = %c)")
    var after = before
    #expect(try MergeConstantArithmetic().run(&after, under: Budget()).isEmpty == false)
    var draw = InputDraw(seed: 1)
    let inputs = draw.inputs(of: before, sizes: [:])
    let (old, new) = (try Interpreter(before).run(inputs), try Interpreter(after).run(inputs))
    #expect(movement(old, new, tolerance: 0) != nil)
    #expect(movement(old, new, tolerance: MergeConstantArithmetic.tolerance) == nil)
  }

  private func problem(_ before: [Float], _ after: [Float], _ tolerance: Double) -> String? {
    movement(
      [Tensor([before.count], floats: before)],
      [Tensor([after.count], floats: after)],
      tolerance: tolerance
    )
  }
}
