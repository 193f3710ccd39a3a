import MLCCompiler
import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// Convolutions of plain tensors by 3×3 filters of the run.
@Suite struct PlainWinogradConvTests {
  typealias Case = ConvolutionCase

  private static let around = Case(
    c: 40,
    m: 48,
    kernel: .init(3, 3),
    top: 1,
    bottom: 1,
    left: 1,
    right: 1,
    epilogue: [],
    isPlain: true,
    isRunTime: true,
    sizes: [[5, 24, 32]]
  )

  /// Tiles that end inside, at and past the picture, channels and filters that fill nothing.
  @Test func pictures() throws {
    let around = Self.around
    var (odd, bare, lopsided) = (around, around, around)
    (odd.c, odd.m, odd.sizes) = (37, 53, [[3, 21, 30]])
    (bare.top, bare.bottom, bare.left, bare.right) = (0, 0, 0, 0)
    (lopsided.top, lopsided.right, lopsided.left) = (0, 0, 2)
    var open = around
    (open.isSymbolic, open.sizes) = (true, [[1, 1, 1], [2, 7, 5], [3, 16, 90]])
    try ConvolutionStrategyTests().play([around, odd, bare, lopsided, open], PlainWinogradConv.self)
    // Weights that are halves are multiplied directly.
    var half = around
    (half.isHalf, half.isBrain, half.epilogue) = (true, true, [.relu])
    try ConvolutionStrategyTests().play([half], WindowConv.self)
  }

  /// Rows longer than a place, images of which several make a group, more filters than a task has, sizes that are known
  /// late, and what is made of results as they are stored.
  @Test(arguments: ["f4", "f2"]) func blocks(_ variant: String) throws {
    let around = Self.around
    var (wide, small, deep, flat, rows, symbolic) = (around, around, around, around, around, around)
    wide.sizes = [[1, 6, 611]]
    small.sizes = [[40, 8, 8]]
    (deep.c, deep.m, deep.sizes) = (300, 70, [[2, 16, 16]])
    flat.epilogue = [.bias, .residual, .silu]
    rows.epilogue = [.row, .scale, .mask]
    (symbolic.isSymbolic, symbolic.sizes) = (true, [[1, 1, 1], [2, 7, 5], [1, 70, 33], [3, 16, 90]])
    for (number, c) in [wide, small, deep, flat, rows, symbolic].enumerated() {
      for device in CompileAndRun.layouts(number) { try play(c, variant, on: device) }
    }
  }

  /// A device that computes `c` by the transform called `variant`, whatever that costs.
  private func pinned(_ device: DeviceDescription, _ variant: String, _ c: Case) throws -> DeviceDescription {
    let (weight, bias) = (Tensor(c.type, c.weightShape, of: 0), Tensor(.float32, [c.m], of: 0))
    let made = c.make(c.sizes[0], block: device.lanes, weight: weight, bias: bias)
    var (device, tuning) = (device, Tuning())
    let problem = try #require(made.kernel.problem(in: made.program))
    tuning.pinned[problem] = Tuning.Choice(PlainWinogradConv.name, variant)
    tuning.listsVariants = true
    device.tuning = tuning
    #expect(try CTarget(device).strategy(for: made.kernel, in: made.program)?.name == PlainWinogradConv.name)
    return device
  }

  private func play(_ c: Case, _ variant: String, on device: DeviceDescription) throws {
    let failures = ConvolutionPlayer(device: try pinned(device, variant, c), unit: 0x1p-17).failures(c)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  /// Drawn shapes, by both transforms, whether they are chosen for them or direct sums are.
  @Test func drawn() throws {
    var random = SeededGenerator(seed: 11)
    for variant in ["f4", "f2"] {
      for number in 0..<12 {
        var c = Self.around
        func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        (c.c, c.m, c.top, c.bottom, c.left, c.right) = (draw(1...90), draw(1...90), draw(0...2), draw(0...2), 1, 1)
        c.sizes = [[draw(1...9), draw(3...40), draw(2...40)]]
        c.epilogue = number % 2 == 0 ? [.bias, .relu] : []
        for device in CompileAndRun.layouts(number) { try play(c, variant, on: device) }
      }
    }
  }
}
