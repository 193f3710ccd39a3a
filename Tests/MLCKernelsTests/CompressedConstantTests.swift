import MLCCore
import MLCKernels
import Testing

@Suite struct CompressedConstantTests {
  @Test func numbersOfCodes() {
    #expect(CompressedConstant.numbers(.int4) == [0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1])
    #expect(CompressedConstant.numbers(.uint2) == [0, 1, 2, 3])
    #expect(CompressedConstant.numbers(.int8)[255] == -1)
  }

  @Test func blocksAreShiftedAndScaled() {
    let constant = CompressedConstant(
      .float32,
      [2, 4],
      .codes(Tensor(.uint4, [2, 4], [0, 1, 2, 3, 12, 13, 14, 15])),
      scale: BlockValues(grid: [2, 2], values: [1, 10, 100, 0.5]),
      offset: BlockValues(grid: [2, 2], values: [0, 1, 12, 15])
    )
    #expect(constant.expanded() == Tensor([2, 4], floats: [0, 1, 10, 20, 0, 100, -0.5, 0]))
    #expect(constant.byteCount == 4 + 16 + 16)
  }

  @Test func palettesOfGroups() {
    let constant = CompressedConstant(
      .float16,
      [4, 1],
      .codes(Tensor(.uint1, [4, 1], [0, 1, 0, 1])),
      palette: BlockValues(grid: [2, 1], values: [1, 2, 3, 4], width: 2),
      scale: BlockValues(grid: [4, 1], values: [1, 1, 1, -1])
    )
    #expect(constant.expanded() == Tensor(.float16, [4, 1], [1.0, 2, 3, -4]))
    #expect(constant.insertingAxis(1).expanded() == Tensor(.float16, [4, 1, 1], [1.0, 2, 3, -4]))
  }

  @Test func sparseElements() {
    let mask = Tensor(.uint1, [2, 3], [0, 1, 0, 1, 1, 0])
    let constant = CompressedConstant(.float32, [2, 3], .sparse(Tensor([3], floats: [5, -0.0, 7]), mask: mask))
    #expect(constant.expanded() == Tensor([2, 3], floats: [0, 5, 0, -0.0, 7, 0]))
  }

  @Test func blockOfAPosition() {
    let blocks = BlockValues(grid: [2, 1, 3], values: [0, 1, 2, 3, 4, 5])
    #expect(blocks.block(at: [0, 3, 0], of: [4, 5, 6]) == 0)
    #expect(blocks.block(at: [1, 0, 5], of: [4, 5, 6]) == 2)
    #expect(blocks.block(at: [2, 4, 2], of: [4, 5, 6]) == 4)
    #expect(blocks.cutAxes == [0, 2])
  }
}
