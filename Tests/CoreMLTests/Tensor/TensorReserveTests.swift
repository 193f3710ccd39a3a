import CoreML
import Testing

/// Memory that tensors leave for others.
@Suite struct TensorReserveTests {
  @Test func aBlockIsTakenAgain() throws {
    let reserve = TensorReserve()
    let first = try reserve.take(1 << 20)
    reserve.giveBack(first.base, first.byteCount)
    #expect(reserve.byteCount == 1 << 20)
    // Too large a block is not given: 1 MiB for half of it.
    let half = try reserve.take(1 << 19)
    #expect(half.base != first.base && reserve.byteCount == 1 << 20)
    let second = try reserve.take((1 << 20) - 4096)
    #expect(second.base == first.base && second.byteCount == 1 << 20 && reserve.byteCount == 0)
    for block in [half, second] { reserve.giveBack(block.base, block.byteCount) }
  }

  @Test func littleIsKept() throws {
    let reserve = TensorReserve()
    let sizes = [100, 1 << 16, 1 << 21, 20 << 20, 30 << 20, 40 << 20, 24 << 20]
    for block in try sizes.map({ try reserve.take($0) }) { reserve.giveBack(block.base, block.byteCount) }
    // The smallest and the largest never, and no more than 64 MiB: the last two.
    #expect(reserve.byteCount == (30 + 24) << 20)
  }
}
