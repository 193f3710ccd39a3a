import Foundation
import MLCCompiler
import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// Each strategy against the definition of a matmul, on every shipped device that this CPU can run.
@Suite struct MatmulTests {
  /// Plays `cases` and gives a line for each that went wrong.
  func failures(_ cases: [MatmulCase], on devices: [DeviceDescription]? = nil) throws -> [String] {
    var lines: [String] = []
    for (number, item) in cases.enumerated() {
      for device in devices ?? CompileAndRun.layouts(number) {
        lines += try failures(item, on: device, splitTasks: number.isMultiple(of: 2))
      }
    }
    return lines
  }

  private func failures(_ item: MatmulCase, on device: DeviceDescription, splitTasks: Bool) throws -> [String] {
    let inputs = item.values.filter { item.program[$0.key].kind.isInput }.map { ($0.key, item.bytes($0.key)) }
    let (outputs, fault) = try CompileAndRun(device).run(
      item.kernel,
      in: item.program,
      inputs: Dictionary(uniqueKeysWithValues: inputs),
      symbols: item.program.symbols.map { Int64(item.symbols[$0]!) },
      splitTasks: splitTasks
    )
    let dtype = item.program[item.output].dtype
    let bytes = outputs[item.output]!
    let got = tensor(dtype, bytes).doubles
    let tolerance = dtype.isInteger ? 0 : dtype == .float32 ? 2e-5 : dtype == .float16 ? 2e-3 : 2e-2
    let sums = item.unitOfSums == 0 ? [:] : item.ofMagnitudes.expected
    let wrong = item.expected.filter { place, value in
      !(abs(got[place] - value) <= tolerance * max(1, abs(value)) + item.unitOfSums * (sums[place] ?? 0))
    }
    var lines: [String] = []
    if let (place, value) = wrong.min(by: { $0.key < $1.key }) {
      lines.append("\(device.label) \(item.label): \(wrong.count) wrong, [\(place)] \(got[place]) for \(value)")
    }
    if fault != 0 { lines.append("\(device.label) \(item.label): fault \(fault)") }
    return lines
  }

  private func tensor(_ dtype: DType, _ bytes: [UInt8]) -> Tensor {
    let storage = Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
    return Tensor(dtype, [bytes.count * 8 / dtype.bitWidth], storage: storage)!
  }

  /// Results that leave the first cache, whose lines tiles ask for: rows that begin on one and others, k shorter than
  /// that takes, and of a size that is not known.
  @Test func largeResults() throws {
    let wrong = try failures([
      .plain(67, 400, 9), .plain(53, 528, 17, constant: false, bias: true),
      .plain(54, 1024, 1, types: [.float32, .float32, .float16]),
      .plain(97, "n", 20, constant: false, symbols: ["n": 270]),
      .plain(97, 270, "k", constant: false, symbols: ["k": 21]),
      .batched(3, 30, 300, 10, shared: false, constant: true),
    ])
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func oddSizes() throws {
    let sizes: [(Dim, Dim, Dim)] = [
      (1, 1, 1), (3, 5, 7), (8, 48, 16), (13, 49, 31), (37, 63, 129), (131, 97, 65), (1, 197, 113), (2, 130, 64),
      (4, 17, 200), (200, 1, 33), (5, 200, 1),
    ]
    for constant in [true, false] {
      let wrong = try failures(sizes.map { .plain($0, $1, $2, constant: constant, bias: true) })
      #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }
  }

  /// Sums taken in parts, as where panels leave the second-level cache, of rows packed or read where they are.
  @Test func sumsInParts() throws {
    let sizes: [(Dim, Dim, Dim)] = [(40, 20, 1024), (61, 50, 700), (131, 17, 519)]
    var cases: [MatmulCase] = sizes.map {
      .plain($0, $1, $2, bias: true, residual: true, activation: Scalar.relu)
    }
    cases.append(.plain("rows", 20, 700, bias: true, symbols: ["rows": 77]))
    cases.append(.plain(50, 20, 700, types: [.float64, .float64, .float64]))
    cases.append(.plain(50, 20, 700, types: [.float32, .float16, .float32]))
    let small = CompileAndRun.layouts.map { device in
      var device = device
      device.cacheBytes = [1 << 13, 1 << 15]
      return device
    }
    let wrong = try failures(cases, on: small)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func emptySizes() throws {
    let wrong = try failures([
      .plain(5, 9, 0, bias: true), .plain(5, 9, 0, constant: false, bias: true), .plain(0, 9, 4),
      .plain(0, 9, 4, constant: false), .plain(5, 0, 4, constant: false), .plain(5, 0, 4),
    ])
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func transposedOperands() throws {
    var cases: [MatmulCase] = []
    for bits in 1..<8 {
      for constant in [true, false] {
        let transposed = (lhs: bits & 1 != 0, rhs: bits & 2 != 0, output: bits & 4 != 0)
        cases.append(.plain(19, 53, 21, constant: constant, transposed: transposed, bias: true))
      }
    }
    let wrong = try failures(cases)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func epilogues() throws {
    let wrong = try failures([
      .plain(21, 75, 40, bias: true, residual: true, activation: Scalar.relu),
      .plain(21, 75, 40, bias: true, residual: true, activation: Scalar.gelu),
      .plain(3, 75, 40, bias: true, activation: Scalar.geluTanh),
      .plain(21, 75, 40, constant: false, activation: Scalar.silu),
    ])
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func narrowStorage() throws {
    let all: [[DType]] = [
      [.float16, .float16, .float16], [.float32, .float16, .float32], [.float16, .float32, .float32],
      [.bfloat16, .bfloat16, .bfloat16], [.float32, .float32, .float16],
    ]
    var cases: [MatmulCase] = []
    for types in all {
      for constant in [true, false] {
        cases.append(.plain(19, 53, 21, constant: constant, types: types, bias: true))
      }
      cases.append(.plain(19, 53, 21, constant: false, types: types, transposed: (false, true, false)))
      cases.append(.plain(1, 53, 21, types: types))
    }
    let wrong = try failures(cases)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func symbolicRows() throws {
    let cases = [1, 2, 7, 8, 9, 16, 150, 0].map { rows in
      MatmulCase.plain("rows", 50, 24, bias: true, activation: Scalar.relu, symbols: ["rows": rows])
    }
    let wrong = try failures(cases)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func attention() throws {
    let sizes = ["b": 2, "h": 3, "s": 37, "t": 41, "d": 16]
    let wrong = try failures([
      .scores(2, 3, 37, 41, 16, [:]), .context(2, 3, 37, 41, 16, [:]),
      .scores("b", "h", "s", "t", "d", sizes), .context("b", "h", "s", "t", "d", sizes),
      .context(1, 2, 1, "t", 64, ["t": 77]), .scores(1, 2, 1, "t", 64, ["t": 77]),
    ])
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  /// More steps of k than one panel holds, more rows than one block holds, rows a page apart.
  @Test func longSizes() throws {
    let wrong = try failures([
      .plain(3, 33, 1500, constant: false), .plain(20, 33, "k", constant: false, symbols: ["k": 1025]),
      .plain(300, 17, "k", constant: false, types: [.float16, .float32, .float32], symbols: ["k": 600]),
      .plain(400, 17, 33), .plain(20, 50, 1024), .plain(20, 33, 1024, constant: false),
    ])
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func batches() throws {
    var cases: [MatmulCase] = []
    for shared in [true, false] {
      for constant in [true, false] {
        for count in [Dim(3), 0] { cases.append(.batched(count, 9, 35, 12, shared: shared, constant: constant)) }
      }
    }
    cases += [.constantLeft(45, 30), .linear(3, 5, 35, 12), .linear(6, 1, 35, 12), .linear(1, 9, 35, 12)]
    for sizes in [(3, 5), (1, 1), (7, 1), (1, 20), (0, 4)] {
      cases.append(.linear("b", "s", 35, 12, ["b": sizes.0, "s": sizes.1]))
    }
    let wrong = try failures(cases)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  /// Drawn sizes with tiles that nobody would choose for them.
  @Test func variants() throws {
    var random = SeededGenerator(seed: 3)
    for device in CompileAndRun.layouts {
      let tiles = ["8x3", "6x4", "14x2", "28x1", "6x2", "4x3", "12x1", "2x4"].shuffled(using: &random).prefix(3)
      for variant in tiles + ["6x4k24", "6x2k17", "2x4k16"] {
        func drawn(_ most: Int) -> Dim { Dim(Int.random(in: 1...most, using: &random)) }
        let cases: [MatmulCase] = [
          .plain(drawn(40), drawn(90), drawn(70)), .plain(drawn(40), drawn(90), drawn(70), constant: false),
        ]
        let wrong = try failures(cases, on: [device.taking(variant)])
        #expect(wrong.isEmpty, "\(variant): \(wrong.joined(separator: "\n"))")
      }
    }
  }

  @Test func choosesByWhatIsKnown() throws {
    let target = try CompileAndRun(CompileAndRun.devices[0]).target
    func chosen(_ item: MatmulCase) throws -> String? {
      try target.strategy(for: item.kernel, in: item.program).map { $0.name }
    }
    #expect(try chosen(.plain(64, 96, 32)) == "PackedGemm")
    #expect(try chosen(.plain(1, 96, 32)) == "Gemv")
    #expect(try chosen(.plain(64, 96, 32, constant: false)) == "BatchedGemm")
    #expect(try chosen(.constantLeft(64, 32)) == "Gemv")
    #expect(try chosen(.linear(2, 1, 96, 32)) == "Gemv")
  }
}

extension KernelTensor.Kind {
  var isInput: Bool { if case .input = self { true } else { false } }
}
