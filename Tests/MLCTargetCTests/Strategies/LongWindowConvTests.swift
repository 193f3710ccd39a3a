import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// Convolutions by weights of the run whose windows are about as large as their inputs, as gradients of weights are.
@Suite struct LongWindowConvTests {
  typealias Case = ConvolutionCase

  /// Vectors of four lanes are no better filled by windows than by the few outputs of one, and either may be chosen.
  private func play(_ cases: [Case]) throws {
    for (number, c) in cases.enumerated() {
      for device in CompileAndRun.layouts(number) {
        let others: [any Strategy.Type] = device.lanes < 8 ? [WindowConv.self] : []
        try ConvolutionStrategyTests().play([c], [LongWindowConv.self] + others, on: [device])
      }
    }
  }

  /// A window as large as the input, and a result for each of its places within the padding.
  private static let around = Case(
    c: 6,
    m: 70,
    kernel: .init(9, 40),
    top: 1,
    bottom: 1,
    left: 1,
    right: 1,
    epilogue: [],
    isPlain: true,
    isRunTime: true,
    sizes: [[5, 9, 40]]
  )

  @Test func windows() throws {
    let around = Self.around
    var (strided, dilated, wide, gaps, one, many) = (around, around, around, around, around, around)
    (strided.kernel, strided.dilations, strided.sizes) = (.init(5, 40), .init(2, 2), [[5, 9, 79]])
    (dilated.strides, dilated.top, dilated.bottom, dilated.left, dilated.right) = (.init(2, 3), 2, 2, 3, 3)
    (wide.kernel, wide.dilations, wide.sizes) = (.init(3, 400), .init(1, 2), [[2, 3, 799]])
    (gaps.kernel, gaps.dilations, gaps.sizes) = (.init(3, 400), .init(1, 3), [[2, 3, 1198]])
    (one.c, one.sizes) = (1, [[1, 9, 40]])
    (many.c, many.m, many.kernel, many.sizes) = (40, 300, .init(14, 14), [[3, 14, 14]])
    try play([around, strided, dilated, wide, gaps, one, many])
  }

  /// Windows that are the whole input, which images are read by where they lie.
  @Test func wholeInputs() throws {
    var whole = Self.around
    (whole.top, whole.bottom, whole.left, whole.right) = (0, 0, 0, 0)
    var (groups, long, many, deep) = (whole, whole, whole, whole)
    (groups.c, groups.m, groups.groups) = (12, 9, 3)
    (long.kernel, long.sizes) = (.init(1, 5003), [[2, 1, 5003]])
    (many.m, many.c, many.kernel, many.sizes) = (150, 3, .init(9, 13), [[70, 9, 13]])
    (deep.kernel, deep.sizes) = (.init(3, 4), [[3, 5, 3, 4]])
    deep.depth = .init(kernel: 5, stride: 1, dilation: 1, front: 0, back: 0)
    try play([whole, groups, long, many, deep])
  }

  @Test func groupsAndVolumes() throws {
    let around = Self.around
    var (grouped, volume) = (around, around)
    (grouped.c, grouped.m, grouped.groups) = (12, 280, 4)
    (volume.m, volume.kernel, volume.sizes) = (200, .init(5, 40), [[3, 4, 5, 40]])
    volume.depth = .init(kernel: 4, stride: 1, dilation: 1, front: 1, back: 0)
    try play([grouped, volume])
  }

  /// Results of which something else is made as they are stored.
  @Test func epilogues() throws {
    var (flat, rows) = (Self.around, Self.around)
    flat.epilogue = [.bias, .residual, .silu]
    rows.epilogue = [.row, .scale]
    try play([flat, rows])
  }
}
