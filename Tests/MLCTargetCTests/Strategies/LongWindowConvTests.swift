import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// Convolutions by weights of the run whose windows are about as large as their inputs, as gradients of weights are.
@Suite struct LongWindowConvTests {
  typealias Case = ConvolutionCase

  private func play(_ cases: [Case]) throws { try ConvolutionStrategyTests().play(cases, LongWindowConv.self) }

  /// A window as large as the input, and a result for each of its places within the padding.
  private static let around = Case(
    c: 6,
    m: 20,
    kernel: .init(9, 13),
    top: 1,
    bottom: 1,
    left: 1,
    right: 1,
    epilogue: [],
    isPlain: true,
    isRunTime: true,
    sizes: [[5, 9, 13]]
  )

  @Test func windows() throws {
    let around = Self.around
    var (strided, dilated, wide, tall, one, many) = (around, around, around, around, around, around)
    (strided.kernel, strided.dilations, strided.sizes) = (.init(4, 6), .init(2, 2), [[5, 9, 13]])
    (dilated.strides, dilated.top, dilated.bottom, dilated.left, dilated.right) = (.init(2, 3), 2, 2, 3, 3)
    (wide.kernel, wide.dilations, wide.sizes) = (.init(3, 400), .init(1, 3), [[2, 3, 1198]])
    (tall.kernel, tall.left, tall.right, tall.sizes) = (.init(90, 1), 0, 0, [[3, 90, 1]])
    (one.c, one.m, one.sizes) = (1, 1, [[1, 9, 13]])
    (many.c, many.m, many.kernel, many.sizes) = (40, 300, .init(7, 7), [[3, 7, 7]])
    try play([around, strided, dilated, wide, tall, one, many])
  }

  /// Windows that are the whole input, which images are read by where they lie.
  @Test func wholeInputs() throws {
    var whole = Self.around
    (whole.top, whole.bottom, whole.left, whole.right) = (0, 0, 0, 0)
    var (groups, long, many, deep) = (whole, whole, whole, whole)
    (groups.c, groups.m, groups.groups) = (12, 9, 3)
    (long.kernel, long.sizes) = (.init(1, 5003), [[2, 1, 5003]])
    (many.m, many.c, many.sizes) = (150, 3, [[70, 9, 13]])
    (deep.kernel, deep.sizes) = (.init(3, 4), [[3, 5, 3, 4]])
    deep.depth = .init(kernel: 5, stride: 1, dilation: 1, front: 0, back: 0)
    try play([whole, groups, long, many, deep])
  }

  @Test func groupsAndVolumes() throws {
    let around = Self.around
    var (depthwise, grouped, volume) = (around, around, around)
    (depthwise.c, depthwise.m, depthwise.groups, depthwise.sizes) = (35, 35, 35, [[1, 9, 13]])
    (grouped.c, grouped.m, grouped.groups) = (12, 8, 4)
    (volume.kernel, volume.sizes) = (.init(5, 6), [[3, 4, 5, 6]])
    volume.depth = .init(kernel: 4, stride: 1, dilation: 1, front: 1, back: 1)
    try play([depthwise, grouped, volume])
  }

  /// Results of which something else is made as they are stored.
  @Test func epilogues() throws {
    var (flat, rows) = (Self.around, Self.around)
    flat.epilogue = [.bias, .residual, .silu]
    rows.epilogue = [.row, .scale]
    try play([flat, rows])
  }
}
