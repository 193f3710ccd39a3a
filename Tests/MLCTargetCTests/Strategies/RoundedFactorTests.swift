import MLCCompiler
import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// Products of rounded factors, against the definition with factors rounded so and sums in double: as float arithmetic
/// on devices without an instruction for it, which take turns, and by the instruction where this CPU has it.
@Suite(.serialized) struct RoundedFactorTests {
  private static let types = [DType.bfloat16, .float16]

  /// `item` with numbers that `type` does not hold, and products of them rounded.
  static func rounded(_ item: MatmulCase, to type: DType, seed: UInt64) -> MatmulCase {
    var (item, numbers) = (item, FineNumbers(state: seed))
    item.factors = type
    for param in item.kernel.params where param.access == .read {
      let (tensor, count) = (item.program[param.tensor], item.values[param.tensor]!.count)
      let values = Tensor(tensor.dtype, [count], (0..<count).map { _ in numbers.next() })
      item.values[param.tensor] = values.doubles
      if case .constant(let old) = tensor.kind {
        item.program[param.tensor].kind = .constant(values.reshaped(old.shape))
      }
    }
    return item
  }

  private func failures(_ cases: [MatmulCase], _ type: DType) throws -> [String] {
    var lines: [String] = []
    for (number, item) in cases.enumerated() {
      let item = Self.rounded(item, to: type, seed: UInt64(number))
      let devices = CompileAndRun.rounding(number, to: type)
      lines += try MatmulTests().failures([item], on: devices)
      for device in devices {
        let name = try CTarget(device).emit(item.kernel, in: item.program).name
        if !name.contains("\(type.rawValue)_") {
          lines.append("\(device.label) \(item.label): factors are not rounded")
        }
      }
    }
    return lines
  }

  /// Drawn shapes: one row and many, odd and even depths, columns that fill no panel.
  @Test(arguments: types) func products(_ type: DType) throws {
    var draw = FineNumbers(state: 41)
    let drawn = (0..<12).map { number -> MatmulCase in
      let (m, n, k) = (draw.below(60) + 1, draw.below(150) + 2, draw.below(200) + 2)
      let (bits, bias, residual) = (draw.below(4), draw.below(2) == 0, draw.below(2) == 0)
      return .plain(
        Dim(number % 4 == 0 ? number / 4 + 1 : m),
        Dim(n),
        Dim(k),
        transposed: (bits & 1 != 0, bits & 2 != 0, false),
        bias: bias,
        residual: residual
      )
    }
    let wrong = try failures(drawn, type)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test(arguments: types) func formsOfProducts(_ type: DType) throws {
    let wrong = try failures(
      [
        .plain(19, 53, 21, types: [.float16, .float32, .float32]),
        .plain(19, 53, 21, types: [.float32, .float16, .float32]),
        .plain(19, 53, 22, types: [.bfloat16, .bfloat16, .float32], bias: true),
        .plain(21, 75, 40, bias: true, residual: true, activation: Scalar.gelu),
        .plain("rows", 50, 25, bias: true, symbols: ["rows": 150]), .plain("rows", 50, 24, symbols: ["rows": 3]),
        .plain(400, 17, 33), .plain(20, 50, 1024), .plain(3, 33, 1501),
        .batched(3, 9, 35, 13, shared: false, constant: true), .linear("b", "s", 35, 13, ["b": 3, "s": 5]),
      ],
      type
    )
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  /// With u the unit round-off of the type a product of rounded factors is off by (2u + u²) of its magnitude at most,
  /// and a sum by that of the sum of magnitudes, beside what float32 sums lose; some sum is off by more than float32
  /// would be.
  @Test(arguments: types) func errorBound(_ type: DType) throws {
    let item = Self.rounded(.plain(9, 40, 130), to: type, seed: 5)
    var exact = item
    exact.factors = nil
    let (near, far, sums) = (item.expected, exact.expected, exact.ofMagnitudes.expected)
    let u = type.unitRoundOff!
    var most = 0.0
    for (place, value) in far {
      let error = abs(near[place]! - value) / sums[place]!
      #expect(error <= 2 * u + u * u)
      most = max(most, error)
    }
    #expect(most > u * 0x1p-8)
  }

  /// Factors that float16 does not hold are infinite, as are sums that leave it; long sums of small products do not.
  @Test func sumsLeaveFloat16() throws {
    let item = Self.rounded(.plain(8, 24, 4096), to: .float16, seed: 3)
    for (value, isFinite) in [(70_000.0, false), (3000, false), (4, true)] {
      var item = item
      for param in item.kernel.params where param.access == .read {
        let (tensor, count) = (item.program[param.tensor], item.values[param.tensor]!.count)
        let values = Tensor(tensor.dtype, [count], of: value)
        item.values[param.tensor] = values.doubles
        if case .constant(let old) = tensor.kind {
          item.program[param.tensor].kind = .constant(values.reshaped(old.shape))
        }
      }
      for device in CompileAndRun.rounding(0, to: .float16) {
        let inputs = item.values.filter { item.program[$0.key].kind.isInput }.map { ($0.key, item.bytes($0.key)) }
        let bytes = try CompileAndRun(device).run(
          item.kernel,
          in: item.program,
          inputs: Dictionary(uniqueKeysWithValues: inputs)
        ).outputs[item.output]!
        let sums = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(sums.allSatisfy { $0 == (isFinite ? Float(4096 * value * value) : .infinity) }, "\(device.label)")
      }
    }
  }

  private typealias Case = ConvolutionCase

  @Test(arguments: types) func convolutions(_ type: DType) throws {
    var around = Case(c: 20, m: 37, kernel: .init(3, 3), epilogue: [.bias, .relu], outputHalo: 1, sizes: [[1, 9, 13]])
    (around.top, around.bottom, around.left, around.right) = (1, 1, 1, 1)
    var (symbolic, strided, odd) = (around, around, around)
    (symbolic.isSymbolic, symbolic.sizes, symbolic.inputHalo) = (true, [[1, 1, 1], [2, 7, 5]], 1)
    (strided.strides, strided.epilogue, strided.m) = (.init(2, 3), [.bias, .residual, .silu], 64)
    (odd.c, odd.kernel, odd.right) = (7, .init(2, 5), 3)
    var cases = [
      around, symbolic, strided, odd, Case(c: 32, m: 48, sizes: [[1, 9, 13]]), Case(c: 33, m: 100, sizes: [[2, 7, 7]]),
      Case(c: 48, m: 24, strides: .init(2, 2), epilogue: [.bias, .residual], residualHalo: 1, sizes: [[1, 9, 13]]),
      Case(c: 64, m: 96, kernel: .init(1, 3), groups: 2, sizes: [[1, 5, 20]]),
      Case(c: 150, m: 12, epilogue: [.bias, .relu], sizes: [[1, 3, 11]]),
    ]
    for index in cases.indices { cases[index].factors = type }
    for (number, item) in cases.enumerated() {
      let devices = CompileAndRun.rounding(number, to: type)
      try ConvolutionStrategyTests().play([item], DirectConvNCHWc.self, TileConvNCHWc.self, on: devices)
    }
  }
}

/// Numbers in −1 ..< 1 of thirteen bits.
private struct FineNumbers {
  var state: UInt64

  mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 40) % count
  }
  mutating func next() -> Double { Double(below(8192) - 4096) / 4096 }
}
