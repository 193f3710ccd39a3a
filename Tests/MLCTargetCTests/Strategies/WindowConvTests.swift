import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// Convolutions of plain tensors, by either strategy: shapes chosen to meet each part of the code, and shapes drawn
/// from a seed.
@Suite struct WindowConvTests {
  typealias Case = ConvolutionCase

  private func play(_ cases: [Case]) throws {
    try ConvolutionStrategyTests().play(cases, WindowConv.self, BroadcastConv.self)
  }

  private static let around = Case(
    c: 12,
    m: 20,
    kernel: .init(3, 3),
    groups: 4,
    top: 1,
    bottom: 1,
    left: 1,
    right: 1,
    epilogue: [.bias, .relu],
    isPlain: true,
    sizes: [[2, 9, 13]]
  )

  @Test func groups() throws {
    let around = Self.around
    var (few, many, strided, dilated, wide, tall) = (around, around, around, around, around, around)
    (few.c, few.m, few.groups, few.epilogue) = (6, 12, 3, [.bias, .residual, .silu])
    (many.c, many.m, many.groups, many.sizes) = (96, 96, 2, [[1, 14, 14]])
    (strided.strides, strided.top, strided.left) = (.init(2, 3), 0, 2)
    (dilated.dilations, dilated.bottom, dilated.epilogue) = (.init(2, 3), 4, [.scale, .mask])
    (wide.kernel, wide.top, wide.bottom, wide.sizes) = (.init(1, 3), 0, 0, [[1, 1, 700]])
    (tall.kernel, tall.left, tall.right, tall.sizes) = (.init(5, 1), 0, 0, [[1, 90, 1]])
    try play([around, few, many, strided, dilated, wide, tall])
  }

  @Test func weightsOfTheRun() throws {
    var around = Self.around
    (around.isRunTime, around.groups, around.c, around.m) = (true, 1, 24, 37)
    var (pointwise, half, rows, deep) = (around, around, around, around)
    (pointwise.kernel, pointwise.top, pointwise.bottom, pointwise.left, pointwise.right) = (.init(1, 1), 0, 0, 0, 0)
    (half.isHalf, half.isBrain, half.epilogue) = (true, true, [.bias, .residual])
    rows.epilogue = [.row, .relu]
    // Weights that would evict each other, and channels in parts.
    (deep.kernel, deep.c, deep.sizes) = (.init(1, 1), 2048, [[1, 5, 19]])
    (deep.top, deep.bottom, deep.left, deep.right) = (0, 0, 0, 0)
    try play([around, pointwise, half, rows, deep])
  }

  @Test func volumes() throws {
    var around = Self.around
    (around.groups, around.sizes) = (1, [[2, 5, 6, 7]])
    around.depth = .init(kernel: 3, stride: 1, dilation: 1, front: 1, back: 1)
    var (strided, dilated, depthwise, half, small, symbolic) = (around, around, around, around, around, around)
    (strided.strides, strided.depth!.stride, strided.epilogue) = (.init(2, 2), 2, [.bias, .residual])
    (dilated.dilations, dilated.depth!.dilation, dilated.depth!.back) = (.init(2, 1), 2, 3)
    (depthwise.groups, depthwise.m) = (12, 12)
    (half.isHalf, half.isRunTime) = (true, true)
    (small.sizes, small.m) = ([[1, 2, 2, 2]], 70)
    (symbolic.isSymbolic, symbolic.sizes) = (true, [[1, 1, 1, 1], [2, 3, 5, 40]])
    try play([around, strided, dilated, depthwise, half, small, symbolic])
  }

  /// Dimensions that the window does not reach over are one, unless the epilogue tells them apart; several planes are
  /// computed at a time.
  @Test func mergedDimensions() throws {
    var point = Self.around
    (point.groups, point.kernel, point.c, point.m, point.sizes) = (1, .init(1, 1), 24, 37, [[2, 5, 6, 7]])
    (point.top, point.bottom, point.left, point.right, point.epilogue) = (0, 0, 0, 0, [.bias, .residual, .relu])
    point.depth = .init(kernel: 1, stride: 1, dilation: 1, front: 0, back: 0)
    var (long, rows, open, lines, planes, stack) = (point, point, point, point, point, point)
    long.sizes = [[1, 8, 40, 40]]
    rows.epilogue = [.row, .bias]
    (open.isSymbolic, open.sizes) = (true, [[1, 2, 3, 4], [2, 3, 5, 40]])
    (lines.depth!.kernel, lines.depth!.front, lines.depth!.back, lines.sizes) = (3, 1, 1, [[1, 4, 9, 11]])
    (planes.kernel, planes.top, planes.bottom, planes.left, planes.right) = (.init(3, 3), 1, 1, 1, 1)
    stack = planes
    (stack.c, stack.m, stack.groups, stack.sizes) = (12, 12, 12, [[1, 8, 10, 10]])
    stack.depth = .init(kernel: 3, stride: 1, dilation: 1, front: 1, back: 1)
    try play([point, long, rows, open, lines, planes, stack])
  }

  /// Few products along rows that tasks take in parts, and that one filter's outputs are stored along.
  @Test func longRows() throws {
    var long = Self.around
    (long.c, long.m, long.groups, long.kernel, long.strides) = (1, 5, 1, .init(1, 10), .init(1, 5))
    (long.top, long.bottom, long.left, long.right, long.sizes) = (0, 0, 3, 2, [[1, 1, 6007]])
    var (half, stored, several) = (long, long, long)
    (half.isHalf, half.epilogue) = (true, [.bias, .relu])
    stored.epilogue = [.row, .residual]
    (several.strides, several.kernel, several.sizes) = (.init(1, 1), .init(1, 2), [[1, 2, 1501]])
    try play([long, half, stored, several])
  }

  /// Many products, of which most are cheapest where vectors run over filters.
  @Test func broadcastInputs() throws {
    var around = Self.around
    (around.groups, around.c, around.m, around.sizes) = (1, 72, 128, [[2, 9, 13]])
    around.epilogue = [.bias, .residual, .relu]
    var (uneven, strided, dilated, rows, half, wide, deep) = (around, around, around, around, around, around, around)
    (uneven.m, uneven.sizes) = (150, [[1, 5, 29]])
    (strided.strides, strided.top, strided.left, strided.sizes) = (.init(2, 3), 0, 2, [[1, 19, 41]])
    (dilated.dilations, dilated.bottom, dilated.epilogue) = (.init(2, 3), 4, [.scale, .mask])
    rows.epilogue = [.row, .bias]
    (half.isHalf, half.m) = (true, 144)
    (wide.m, wide.sizes) = (96, [[1, 3, 300]])
    // Channels in parts, and planes.
    (deep.c, deep.m, deep.sizes) = (160, 150, [[1, 3, 7, 7]])
    deep.depth = .init(kernel: 3, stride: 1, dilation: 1, front: 1, back: 1)
    try play([around, uneven, strided, dilated, rows, half, wide, deep])
  }

  @Test func openSizes() throws {
    var around = Self.around
    (around.isSymbolic, around.sizes) = (true, [[1, 1, 1], [2, 7, 5], [1, 4, 333]])
    var strided = around
    (strided.strides, strided.epilogue, strided.isRunTime) = (.init(3, 2), [.bias, .residual, .row], true)
    try play([around, strided])
  }

  @Test(arguments: 1...3) func drawn(seed: Int) throws {
    var draw = Draw(seed: UInt64(seed))
    try play((0..<8).map { _ in draw.convolution() })
  }

  /// What keeps a convolution of plain tensors from being taken.
  @Test func refusals() throws {
    let device = try #require(CompileAndRun.devices.first)
    var (blocked, empty) = (Self.around, Self.around)
    blocked.isPlain = false
    empty.m = 0
    for (c, reason) in [(blocked, "is not plain"), (empty, "computes nothing")] {
      let weight = Tensor(.float32, c.weightShape, of: 0)
      let made = c.make(c.sizes[0], block: device.lanes, weight: weight, bias: Tensor(.float32, [c.m], of: 0))
      let obstacle = try CTarget(device).acceptance(of: made.kernel, in: made.program).obstacle
      let notes = obstacle?.notes.filter { $0.hasPrefix("WindowConv") } ?? []
      #expect(notes.contains { $0.contains(reason) }, "\(notes)")
    }
  }
}

/// Convolutions from a seed.
private struct Draw {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  /// A number of `range`.
  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int(state >> 33) % range.count
  }

  private mutating func one<T>(of values: [T]) -> T { values[number(0...values.count - 1)] }

  mutating func convolution() -> ConvolutionCase {
    let groups = one(of: [1, 1, 2, 3, 5, 8])
    var c = ConvolutionCase(
      c: groups * number(1...13),
      m: groups * number(1...13),
      kernel: .init(number(1...5), number(1...5)),
      strides: .init(number(1...3), number(1...3)),
      dilations: .init(number(1...3), number(1...3)),
      groups: groups,
      top: number(0...3),
      bottom: number(0...3),
      left: number(0...3),
      right: number(0...3),
      isPlain: true,
      sizes: []
    )
    c.epilogue = one(of: [[.bias], [.relu], [.bias, .residual, .silu], [.scale, .row], [.mask, .bias], []])
    (c.isHalf, c.isBrain) = (number(0...3) == 0, number(0...1) == 0)
    (c.isRunTime, c.isSymbolic) = (number(0...2) == 0, number(0...3) == 0)
    if number(0...2) == 0 {
      c.depth = .init(
        kernel: number(1...3),
        stride: number(1...2),
        dilation: number(1...2),
        front: number(0...2),
        back: number(0...2)
      )
    }
    let most = c.depth == nil ? 40 : 12
    for _ in 0..<(c.isSymbolic ? 3 : 1) {
      c.sizes.append([number(1...2)] + c.bare.spans.map { $0.reach + number(0...most) })
    }
    return c
  }
}
