import MLCCompiler
import MLCCore
import MLCKernels
import MLCOps
import MLCRuntime
import TestSupport
import Testing

/// The cases as generated code, on every device that this CPU can be.
@Suite(.serialized) struct CompiledTests {
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-vnni"])
  func generatedCode(_ name: String) throws {
    try expectAgreement(name, Self.items.map { PlayedCase($0) })
  }

  /// Products and convolutions of bytes where they are formed in tiles.
  @Test func tiles() throws {
    let items = Self.items.filter { $0.label.hasPrefix("matmul_integer.") || $0.label.hasPrefix("conv_integer.") }
    #expect(!items.isEmpty)
    try expectAgreement("x86-64-v4-amx", items.map { PlayedCase($0) })
  }

  /// The same with another type in place of float32, against the interpreter on the same tensors.
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"], [DType.float16, .float64])
  func otherTypes(_ name: String, _ dtype: DType) throws {
    let items = Self.items.compactMap { PlayedCase($0, as: dtype) }
    #expect(items.count > 200)
    try expectAgreement(name, items)
  }

  /// The same with texts in place of float32, for the operators that take such.
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
  func texts(_ name: String) throws {
    let items = Self.items.compactMap { PlayedCase(texts: $0) }
    #expect(items.count > 60, "\(items.count)")
    try expectAgreement(name, items)
  }

  /// Functions of one number on many numbers.
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"], [DType.float32, .float16, .float64])
  func functions(_ name: String, _ dtype: DType) throws {
    let items = OperatorSet.standard.compactMap { PlayedCase(sweeping: $0, dtype) }
    #expect(items.count > 40)
    try expectAgreement(name, items)
  }

  /// Compiled once for open sizes, run at two shapes.
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
  func openSizes(_ name: String) throws {
    let items = Self.items.filter { SymbolicExceptions.reason($0) == nil }.compactMap { PlayedCase(symbolic: $0) }
    #expect(items.count > 200 && items.filter { $0.runs.count == 2 }.count > 200)
    try expectAgreement(name, items)
  }

  private static let items = OperatorCase.all.filter { CompiledExceptions.reason($0) == nil }

  private func expectAgreement(_ name: String, _ items: [PlayedCase]) throws {
    let device = try DeviceSet([name]).devices[0]
    if let obstacle = CPU.obstacle(isa: device.isa, requires: device.requires) {
      print("skipped \(name): \(obstacle)")
      return
    }
    let failures = try CompiledRunner(device).failures(items)
    #expect(failures.isEmpty, "\(failures.count) of \(items.count) failed:\n\(failures.joined(separator: "\n"))")
  }
}
