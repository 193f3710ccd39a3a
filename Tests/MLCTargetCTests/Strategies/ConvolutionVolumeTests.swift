import MLCKernels
import MLCTargetC
import Testing

/// Convolutions of three dimensions in channel blocks.
extension ConvolutionStrategyTests {
  private static func around(_ c: Int, _ m: Int, groups: Int = 1, outputHalo: Int = 1) -> Case {
    Case(
      c: c,
      m: m,
      kernel: .init(3, 3),
      groups: groups,
      top: 1,
      bottom: 1,
      left: 1,
      right: 1,
      epilogue: [.bias, .relu],
      outputHalo: outputHalo,
      depth: .init(kernel: 3, stride: 1, dilation: 1, front: 1, back: 1),
      sizes: [[1, 4, 5, 13], [2, 1, 9, 7]]
    )
  }

  @Test func directPointwiseVolumes() throws {
    let point = Convolution.Depth(kernel: 1, stride: 1, dilation: 1, front: 0, back: 0)
    let sizes = [[1, 3, 5, 7], [2, 4, 1, 1]]
    let flat = Case(c: 20, m: 37, epilogue: [.bias, .residual, .relu], depth: point, sizes: sizes)
    var (symbolic, scaled, masked, strided, padded) = (flat, flat, flat, flat, flat)
    (symbolic.isSymbolic, symbolic.sizes) = (true, [[1, 3, 5, 7], [2, 1, 9, 13]])
    (scaled.epilogue, scaled.isHalf) = ([.scale, .bias], true)
    (masked.epilogue, masked.residualHalo) = ([.mask, .residual, .row], 1)
    strided.strides = .init(2, 2)
    strided.depth?.stride = 2
    // Planes that read padding alone.
    padded.depth?.front = 1
    padded.depth?.back = 2
    try play([flat, symbolic, scaled, masked, strided, padded], DirectConvNCHWc.self)
  }

  @Test func directVolumes() throws {
    let around = Self.around(20, 37)
    var (half, symbolic, strided, dilated, deep) = (around, around, around, around, Self.around(96, 64))
    half.isHalf = true
    (symbolic.isSymbolic, symbolic.inputHalo) = (true, 1)
    (strided.strides, strided.depth, strided.epilogue) = (
      .init(2, 2), .init(kernel: 3, stride: 2, dilation: 1, front: 1, back: 0), [.bias, .residual, .silu]
    )
    strided.sizes = [[1, 4, 5, 13], [2, 3, 9, 7]]
    dilated.depth = .init(kernel: 2, stride: 1, dilation: 3, front: 4, back: 2)
    deep.epilogue = [.bias, .mask]
    var grouped = Self.around(64, 96, groups: 2)
    grouped.sizes = [[1, 3, 4, 6]]
    // Taps along depth alone, and in one plane alone.
    var (time, plane) = (around, around)
    (time.kernel, time.top, time.bottom, time.left, time.right, time.outputHalo) = (.init(1, 1), 0, 0, 0, 0, 0)
    plane.depth = .init(kernel: 1, stride: 1, dilation: 1, front: 0, back: 0)
    try play([around, half, symbolic, strided, dilated, deep, grouped, time, plane], DirectConvNCHWc.self)
  }

  @Test func winogradVolumes() throws {
    var around = Self.around(20, 37)
    around.sizes = [[1, 4, 21, 14], [2, 1, 9, 30]]
    var (plane, symbolic, strided, dilated) = (around, around, around, around)
    plane.depth = .init(kernel: 1, stride: 1, dilation: 1, front: 0, back: 0)
    symbolic.isSymbolic = true
    strided.depth = .init(kernel: 3, stride: 2, dilation: 1, front: 0, back: 1)
    (strided.epilogue, strided.sizes) = ([.residual, .mask], [[1, 4, 21, 14], [2, 3, 9, 30]])
    dilated.depth = .init(kernel: 2, stride: 1, dilation: 3, front: 4, back: 2)
    (dilated.dilations, dilated.c, dilated.top, dilated.bottom) = (.init(2, 1), 64, 2, 2)
    try play([around, plane, symbolic, strided, dilated], WinogradConv.self)
  }

  @Test func stemVolumes() throws {
    var first = Self.around(3, 40)
    (first.inputHalo, first.strides, first.sizes) = (nil, .init(2, 2), [[2, 4, 19, 31]])
    var (plane, symbolic, dilated) = (first, first, first)
    plane.depth = .init(kernel: 1, stride: 1, dilation: 1, front: 0, back: 0)
    (symbolic.isSymbolic, symbolic.sizes) = (true, [[1, 1, 5, 4], [2, 3, 20, 9]])
    dilated.depth = .init(kernel: 3, stride: 2, dilation: 2, front: 3, back: 1)
    (dilated.isHalf, dilated.epilogue) = (true, [.bias, .residual, .mask])
    try play([first, plane, symbolic, dilated], StemConv.self)
  }

  @Test func depthwiseVolumes() throws {
    let around = Self.around(19, 19, groups: 19)
    var (half, symbolic, strided, dilated, time) = (around, around, around, around, around)
    half.isHalf = true
    symbolic.isSymbolic = true
    (strided.strides, strided.epilogue) = (.init(2, 2), [.bias, .residual])
    strided.depth?.stride = 2
    (dilated.depth, dilated.kernel) = (.init(kernel: 2, stride: 1, dilation: 2, front: 2, back: 3), .init(6, 3))
    (time.kernel, time.top, time.bottom, time.left, time.right) = (.init(1, 1), 0, 0, 0, 0)
    time.depth = .init(kernel: 5, stride: 1, dilation: 1, front: 2, back: 2)
    try play([around, half, symbolic, strided, dilated, time], DepthwiseConv.self)
  }
}
