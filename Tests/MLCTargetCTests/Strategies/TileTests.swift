import MLCCompiler
import MLCCore
import MLCKernels
import MLCTargetC
import Testing

extension CompileAndRun {
  /// Devices that multiply bfloat16 in tiles, where this CPU does.
  fileprivate static let tiling = rounding(0, to: .bfloat16).filter { $0.multipliesInTiles(.bfloat16) }
  /// Devices that multiply bytes in tiles, where this CPU does.
  fileprivate static let tilingBytes = DeviceSet.here.filter { $0.multipliesInTiles(.int8) }
}

/// Products of bfloat16 and of bytes in tiles, on drawn shapes, where this CPU has them.
@Suite(.serialized, .enabled(if: !CompileAndRun.tiling.isEmpty, "this CPU has no AMX")) struct TileTests {
  /// Rows and columns that fill no tile, depths that end within one; what is small may be taken in vectors.
  @Test func products() throws {
    var random = SeededGenerator(seed: 12)
    var isTaken = false
    for number in 0..<24 {
      let (m, n, k) = (
        Int.random(in: 1...150, using: &random), Int.random(in: 2...120, using: &random),
        Int.random(in: 2...260, using: &random)
      )
      let (bias, residual) = (Bool.random(using: &random), Bool.random(using: &random))
      let transposed = (Bool.random(using: &random), Bool.random(using: &random), false)
      let rows: Dim = number % 6 == 0 ? "rows" : Dim(m)
      let item = RoundedFactorTests.rounded(
        .plain(
          rows,
          Dim(n),
          Dim(k),
          transposed: transposed,
          bias: bias,
          residual: residual,
          activation: number % 3 == 0 ? Scalar.gelu : { $0 },
          symbols: number % 6 == 0 ? ["rows": m] : [:]
        ),
        to: .bfloat16,
        seed: UInt64(number)
      )
      let wrong = try MatmulTests().failures([item], on: CompileAndRun.tiling)
      #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
      for device in CompileAndRun.tiling {
        let choice = try CTarget(device).strategy(for: item.kernel, in: item.program)?.name
        isTaken = isTaken || choice == TileGemm.name
        if m >= 16, n >= 32, k >= 64 { #expect(choice == TileGemm.name, "\(m)x\(n)x\(k)") }
      }
    }
    #expect(isTaken)
  }

  /// Sums of bytes are exact: rows and columns that fill no tile, words that end within one or fill some, batches, sums
  /// as they are and scaled, whatever floats are rounded to and however other weights lie.
  @Test func bytes() throws {
    var random = SeededGenerator(seed: 14)
    func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    var cases = (0..<18).map { number -> MatmulCase in
      let m = draw(1...80)
      return .bytes(
        number % 6 == 0 ? "rows" : Dim(m),
        Dim(draw(1...90)),
        Dim(number % 4 == 0 ? 64 * draw(1...4) : 4 * draw(1...50)),
        batch: number % 6 == 1 ? Dim(draw(2...3)) : 1,
        transposed: Bool.random(using: &random),
        isScaled: number % 4 < 2,
        symbols: number % 6 == 0 ? ["rows": m] : [:]
      )
    }
    var extreme = MatmulCase.bytes(33, 40, 512)
    for (param, value) in [(0, 255), (1, -128)] {
      let tensor = extreme.kernel.params[param].tensor
      let numbers = [Double](repeating: Double(value), count: extreme.values[tensor]!.count)
      extreme.values[tensor] = numbers
      if case .constant(let old) = extreme.program[tensor].kind {
        extreme.program[tensor].kind = .constant(Tensor(.int8, old.shape, numbers))
      }
    }
    cases.append(extreme)
    for (number, item) in cases.enumerated() {
      let devices = try CompileAndRun.tilingBytes.map { device in
        var device = try pinned(device, item)
        device.factors = number.isMultiple(of: 2) ? nil : .bfloat16
        device.packedLanes = number.isMultiple(of: 5) ? 16 : nil
        return device
      }
      let wrong = try MatmulTests().failures([item], on: devices)
      #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }
  }

  /// `device` that takes `item` in tiles whatever it costs.
  private func pinned(_ device: DeviceDescription, _ item: MatmulCase) throws -> DeviceDescription {
    var (device, tuning) = (device, Tuning())
    tuning.pinned[try #require(item.kernel.problem(in: item.program))] = Tuning.Choice(TileGemm.name)
    device.tuning = tuning
    #expect(try CTarget(device).strategy(for: item.kernel, in: item.program)?.name == TileGemm.name, "\(item.label)")
    return device
  }

  /// Few rows of bytes are read as fast in vectors, and so are small products.
  @Test func choicesOfBytes() throws {
    let choices: [(Dim, Dim, Dim, isTiled: Bool)] = [
      (128, 256, 256, true), (16, 256, 512, true), (1, 256, 256, false), (8, 32, 32, false),
    ]
    for device in CompileAndRun.tilingBytes {
      for (m, n, k, isTiled) in choices {
        let item = MatmulCase.bytes(m, n, k)
        let choice = try CTarget(device).strategy(for: item.kernel, in: item.program)?.name
        #expect((choice == TileGemm.name) == isTiled, "\(item.label): \(choice ?? "")")
      }
    }
  }

  private typealias Case = ConvolutionCase

  /// Windows, steps, gaps and padding of all kinds, channels that fill no tile. A few are better off in vectors.
  @Test func convolutions() throws {
    var random = SeededGenerator(seed: 13)
    func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let epilogues: [[Case.Piece]] = [[], [.bias, .relu], [.bias, .residual, .silu], [.scale, .bias], [.residual]]
    var inTiles = 0
    for number in 0..<24 {
      var item = Case(
        c: draw(24...100),
        m: draw(1...100),
        kernel: .init(draw(1...4), draw(1...4)),
        strides: .init(draw(1...3), draw(1...3)),
        epilogue: epilogues[number % epilogues.count],
        outputHalo: draw(0...1),
        sizes: [[draw(1...2), draw(8...24), draw(8...24)]]
      )
      if number % 3 == 0 { item.dilations = .init(draw(1...2), draw(1...2)) }
      (item.top, item.bottom, item.left, item.right) = (draw(0...2), draw(0...2), draw(0...2), draw(0...2))
      item.factors = .bfloat16
      try ConvolutionStrategyTests().play([item], TileConvNCHWc.self, DirectConvNCHWc.self, on: CompileAndRun.tiling)
      for device in CompileAndRun.tiling where try choice(of: item, on: device) == TileConvNCHWc.name { inTiles += 1 }
    }
    #expect(inTiles >= 20 * CompileAndRun.tiling.count)
  }

  private func choice(of item: Case, on device: DeviceDescription) throws -> String? {
    let (weight, bias) = (Tensor(item.type, item.weightShape, of: 0), Tensor(.float32, [item.m], of: 0))
    let made = item.make(item.sizes[0], block: device.lanes, weight: weight, bias: bias)
    return try CTarget(device).strategy(for: made.kernel, in: made.program)?.name
  }

  /// What tiles are not for goes to other strategies: groups, volumes, extents that only data tells, padding that is
  /// not stored.
  @Test func othersAreTakenElsewhere() throws {
    var grouped = Case(c: 64, m: 96, kernel: .init(1, 3), groups: 2, sizes: [[1, 5, 20]])
    var open = Case(c: 32, m: 32, kernel: .init(3, 3), sizes: [[1, 9, 13]])
    open.isSymbolic = true
    var wide = Case(c: 32, m: 32, kernel: .init(3, 3), sizes: [[1, 16, 16]])
    (wide.dilations, wide.top, wide.bottom, wide.left, wide.right) = (.init(12, 12), 12, 12, 12, 12)
    (grouped.factors, open.factors, wide.factors) = (.bfloat16, .bfloat16, .bfloat16)
    try ConvolutionStrategyTests().play([grouped, open, wide], DirectConvNCHWc.self, on: CompileAndRun.tiling)
  }
}
