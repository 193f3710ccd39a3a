import MLCCompiler
import MLCCore
import MLCKernels
import MLCTargetC
import Testing

@Suite struct ConvolutionStrategyTests {
  typealias Case = ConvolutionCase

  /// Plays every case on every device that this CPU can run, with weights in panels and in strips, and expects one of
  /// `strategies` to have been the choice, among others than Winograd's unless that is one.
  func play(
    _ cases: [Case],
    _ strategies: any Strategy.Type...,
    on devices: [DeviceDescription]? = nil
  ) throws {
    try play(cases, strategies, on: devices)
  }

  func play(_ cases: [Case], _ strategies: [any Strategy.Type], on devices: [DeviceDescription]? = nil) throws {
    var failures: [String] = []
    for (number, c) in cases.enumerated() {
      for device in devices ?? CompileAndRun.layouts(number) {
        failures += try self.failures(c, strategies, on: device)
      }
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  private func failures(
    _ c: Case,
    _ strategies: [any Strategy.Type],
    on device: DeviceDescription
  ) throws -> [String] {
    let isWinograd = strategies.contains { [WinogradConv.name, PlainWinogradConv.name].contains($0.name) }
    var device = device
    device.avoidsWinograd = !isWinograd
    let made = c.make(
      c.sizes[0],
      block: device.lanes,
      weight: Tensor(c.type, c.weightShape, of: 0),
      bias: Tensor(.float32, [c.m], of: 0)
    )
    let choice = try CTarget(device).strategy(for: made.kernel, in: made.program)
    let isTaken = strategies.contains { $0.name == choice?.name }
    return (isTaken ? [] : ["\(c) is taken by \(choice?.name ?? "none")"])
      + ConvolutionPlayer(device: device, unit: isWinograd ? 0x1p-17 : 0x1p-20).failures(c)
  }

  private static let small = [[1, 9, 13]]
  private static let several = [[1, 1, 1], [2, 7, 5], [1, 16, 33]]

  @Test func directPointwise() throws {
    try play(
      [
        Case(c: 32, m: 48, sizes: Self.small),
        Case(c: 20, m: 37, epilogue: [.bias, .relu], sizes: [[2, 7, 7]]),
        Case(c: 5, m: 100, epilogue: [.bias, .silu], sizes: [[1, 1, 1]]),
        Case(c: 16, m: 24, strides: .init(2, 2), epilogue: [.bias, .residual], residualHalo: 1, sizes: Self.small),
        Case(c: 24, m: 21, epilogue: [.scale, .mask, .bias], inputHalo: 1, outputHalo: 2, sizes: Self.small),
        Case(c: 24, m: 40, epilogue: [.residual, .mask], isHalf: true, isSymbolic: true, sizes: Self.several),
        Case(c: 16, m: 512, epilogue: [.relu], sizes: [[1, 40, 40]]),
        // Every remainder of the widest tiles.
        Case(c: 32, m: 16, epilogue: [.bias], isSymbolic: true, sizes: (1...47).map { [1, 1, $0] }),
      ],
      DirectConvNCHWc.self
    )
  }

  /// Drawn convolutions with panels and transforms that nobody would choose for them.
  @Test func variants() throws {
    var random = SeededGenerator(seed: 4)
    var failures: [String] = []
    for device in CompileAndRun.layouts {
      for variant in ["1v", "\(Int.random(in: 2...6, using: &random))v", "f2", "f4"] {
        let (c, m) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...120, using: &random))
        let size = [1, Int.random(in: 3...20, using: &random), Int.random(in: 3...20, using: &random)]
        var item = Case(c: c, m: m, kernel: .init(3, 3), epilogue: [.bias, .relu], sizes: [size])
        (item.top, item.bottom, item.left, item.right) = (1, 1, 1, 1)
        var device = device.taking(variant)
        device.avoidsWinograd = variant.hasSuffix("v")
        failures += ConvolutionPlayer(device: device, unit: 0x1p-17).failures(item).map { "\(variant): \($0)" }
      }
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  @Test func directSpatial() throws {
    let around = Case(
      c: 20,
      m: 37,
      kernel: .init(3, 3),
      top: 1,
      bottom: 1,
      left: 1,
      right: 1,
      epilogue: [.bias, .relu],
      outputHalo: 1,
      sizes: Self.small
    )
    var (half, symbolic, dilated, strided, lopsided, line) = (around, around, around, around, around, around)
    half.isHalf = true
    var brain = half
    brain.isBrain = true
    (symbolic.isSymbolic, symbolic.sizes, symbolic.inputHalo) = (true, Self.several, 1)
    (dilated.dilations, dilated.top, dilated.bottom) = (.init(2, 2), 2, 2)
    (strided.strides, strided.epilogue, strided.m) = (.init(2, 3), [.bias, .residual, .silu], 64)
    (lopsided.top, lopsided.right, lopsided.kernel, lopsided.c) = (0, 3, .init(2, 5), 7)
    (line.kernel, line.top, line.bottom, line.sizes) = (.init(1, 3), 0, 0, [[2, 1, 50]])
    let deep = Case(
      c: 96,
      m: 64,
      kernel: .init(3, 3),
      top: 1,
      bottom: 1,
      left: 1,
      right: 1,
      sizes: [[1, 7, 7], [2, 5, 4]]
    )
    // Padding that is wider than what is stored of it, and than the picture.
    var wide = around
    (wide.dilations, wide.top, wide.bottom, wide.left, wide.right) = (.init(12, 10), 12, 12, 10, 10)
    wide.sizes = [[1, 20, 23], [2, 5, 31]]
    var (far, apart) = (wide, wide)
    (far.dilations, far.top, far.bottom, far.left, far.right) = (.init(24, 36), 30, 24, 36, 40)
    (far.sizes, far.isHalf) = ([[1, 20, 17]], true)
    (apart.isSymbolic, apart.strides, apart.kernel, apart.sizes) = (
      true, .init(2, 3), .init(4, 3), [[1, 40, 9], [1, 13, 60]]
    )
    // One tap, which meets nothing but padding that is not stored.
    var (point, row) = (wide, wide)
    (point.kernel, point.dilations, point.strides, point.sizes) = (.init(1, 1), .init(1, 1), .init(1, 3), [[2, 5, 7]])
    (row.kernel, row.dilations, row.left, row.sizes) = (.init(1, 3), .init(1, 1), 1, [[1, 6, 11]])
    try play(
      [around, half, brain, symbolic, dilated, strided, lopsided, line, deep, wide, far, apart, point, row],
      DirectConvNCHWc.self
    )
  }

  /// Tiles that end inside, at and past the picture; one tile, one group and several, of a few images too; channels
  /// that fill no block.
  @Test func winograd() throws {
    let around = Case(
      c: 20,
      m: 37,
      kernel: .init(3, 3),
      top: 1,
      bottom: 1,
      left: 1,
      right: 1,
      epilogue: [.bias, .relu],
      outputHalo: 1,
      sizes: [[1, 21, 14], [2, 16, 16], [3, 9, 30]]
    )
    var (scaled, symbolic, dilated, apart, lopsided, bare) = (around, around, around, around, around, around)
    scaled.epilogue = [.scale, .bias, .residual]
    (symbolic.isSymbolic, symbolic.inputHalo) = (true, 1)
    symbolic.sizes = [[1, 1, 1], [2, 7, 5], [1, 16, 33], [1, 40, 41]]
    (dilated.dilations, dilated.sizes) = (.init(2, 3), [[1, 33, 29], [2, 24, 25]])
    (dilated.top, dilated.bottom, dilated.left, dilated.right) = (2, 2, 3, 3)
    (apart.dilations, apart.isSymbolic, apart.sizes) = (.init(5, 1), true, [[1, 6, 9], [2, 31, 17]])
    (apart.top, apart.bottom, apart.m) = (5, 5, 64)
    (lopsided.top, lopsided.right, lopsided.epilogue, lopsided.residualHalo) = (0, 0, [.bias, .residual, .silu], 2)
    (bare.top, bare.bottom, bare.left, bare.right, bare.c, bare.m) = (0, 0, 0, 0, 64, 16)
    let deep = Case(
      c: 96,
      m: 192,
      kernel: .init(3, 3),
      top: 1,
      bottom: 1,
      left: 1,
      right: 1,
      epilogue: [.bias, .mask],
      sizes: [[1, 40, 31], [1, 7, 7], [2, 5, 4]]
    )
    var wide = apart
    (wide.dilations, wide.top, wide.bottom, wide.left, wide.right) = (.init(11, 9), 11, 11, 9, 9)
    wide.sizes = [[1, 20, 9], [1, 12, 50]]
    try play([around, scaled, symbolic, dilated, apart, lopsided, bare, deep, wide], WinogradConv.self)
  }

  @Test func directGroups() throws {
    let grouped = Case(
      c: 64,
      m: 96,
      kernel: .init(3, 3),
      groups: 2,
      top: 1,
      bottom: 1,
      left: 1,
      right: 1,
      outputHalo: 1,
      sizes: Self.small
    )
    var pointwise = Case(c: 48, m: 48, groups: 3, epilogue: [.bias, .relu], sizes: [[2, 6, 6]])
    pointwise.isHalf = true
    try play([grouped, pointwise], DirectConvNCHWc.self)
  }

  @Test func depthwise() throws {
    let around = Case(
      c: 19,
      m: 19,
      kernel: .init(3, 3),
      groups: 19,
      top: 1,
      bottom: 1,
      left: 1,
      right: 1,
      epilogue: [.bias, .relu],
      outputHalo: 1,
      sizes: Self.small
    )
    var (half, symbolic, strided, dilated, large, long) = (around, around, around, around, around, around)
    half.isHalf = true
    var brain = half
    brain.isBrain = true
    (symbolic.isSymbolic, symbolic.sizes) = (true, Self.several)
    (strided.strides, strided.epilogue) = (.init(2, 2), [.bias, .residual])
    (dilated.dilations, dilated.outputHalo) = (.init(2, 3), 0)
    (large.kernel, large.top, large.bottom, large.c, large.m, large.groups) = (.init(7, 5), 3, 3, 32, 32, 32)
    (long.kernel, long.left, long.sizes) = (.init(1, 31), 20, [[2, 4, 40]])
    try play([around, half, brain, symbolic, strided, dilated, large, long], DepthwiseConv.self)
  }

  @Test func stem() throws {
    let first = Case(
      c: 3,
      m: 40,
      kernel: .init(7, 7),
      strides: .init(2, 2),
      top: 3,
      bottom: 2,
      left: 3,
      right: 3,
      epilogue: [.bias, .relu],
      inputHalo: nil,
      outputHalo: 1,
      sizes: [[2, 19, 31]]
    )
    var (half, symbolic, wide, single, long) = (first, first, first, first, first)
    half.isHalf = true
    var brain = half
    brain.isBrain = true
    (symbolic.isSymbolic, symbolic.sizes) = (true, [[1, 5, 4], [2, 20, 9], [1, 9, 300]])
    (wide.kernel, wide.strides, wide.sizes, wide.m) = (.init(3, 3), .init(1, 1), [[1, 6, 301]], 21)
    (single.c, single.dilations, single.epilogue) = (1, .init(2, 1), [.bias, .residual, .mask])
    (long.kernel, long.strides, long.c, long.top, long.bottom, long.sizes) = (
      .init(1, 11), .init(1, 5), 2, 0, 0, [[1, 1, 90]]
    )
    try play([first, half, brain, symbolic, wide, single, long], StemConv.self)
  }

  /// Every reason to refuse a convolution, by a case that has it.
  @Test func refusals() throws {
    let device = try #require(CompileAndRun.devices.first)
    let narrow = Case(c: 16, m: 16, kernel: .init(3, 3), top: 1, left: 1, inputHalo: -1, sizes: Self.small)
    let uneven = Case(c: 6, m: 12, groups: 3, sizes: Self.small)
    let plainGroups = Case(c: 32, m: 32, groups: 2, inputHalo: nil, sizes: Self.small)
    for (c, reason) in [(narrow, "halo"), (uneven, "groups"), (plainGroups, "grouped")] {
      let weight = Tensor(.float32, c.weightShape, of: 0)
      let made = c.make(c.sizes[0], block: device.lanes, weight: weight, bias: Tensor(.float32, [c.m], of: 0))
      let obstacle = try CTarget(device).acceptance(of: made.kernel, in: made.program).obstacle
      #expect(obstacle?.id == "target.strategy")
      #expect(obstacle?.notes.contains { $0.contains(reason) } == true, "\(obstacle.map { "\($0)" } ?? "taken")")
    }
  }
}

extension Tensor {
  init(_ type: DType, _ shape: [Int], of value: Double) {
    self.init(type, shape, [Double](repeating: value, count: shape.reduce(1, *)))
  }
}
