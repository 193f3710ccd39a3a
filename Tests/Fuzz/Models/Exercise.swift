import FuzzSupport
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCPasses
import MLCTargetC

/// What comes after import: a model is data all the way to the C that is made of it.
enum Exercise {
  /// More operations, or values of more elements, would take the time from other inputs.
  private static let (operations, elements) = (48, 1 << 14)
  private static let device = DeviceSet.catalog.first { $0.name == "x86-64-v3" }!

  /// Verifies each function that was read from `input`, and for one input in 64 prints and parses the program, and
  /// makes C of it. Traps where a text does not read back.
  static func run(_ program: Program, of input: UnsafeRawBufferPointer) throws(Diagnostic) {
    guard program.functions.allSatisfy({ isSmall($0) }) else { return }
    for function in program.functions { try function.verify() }
    guard Checksum.of(input) & 63 == 0 else { return }
    try readBack(program)
    for function in program.functions {
      var function = function
      var options = PassOptions()
      options.verifies = true
      try PassPipeline.standard.run(&function, options: options)
      guard isSmall(function) else { continue }
      let target = try CTarget(device)
      var kernels = try KernelProgram.optimized(function, for: target)
      try kernels.resolveCompressed(for: target)
      var (builder, sink) = (CModuleBuilder(kernels, target: target), Sink())
      _ = try builder.build(weights: &sink, files: 1)
    }
  }

  private static func readBack(_ program: Program) throws(Diagnostic) {
    let text = ProgramText(program)
    let again = try text.program { OperatorSet.named($0) }
    precondition(ProgramText(again).text == text.text, "the text of a program reads back as another:\n\(text.text)")
  }

  private static func isSmall(_ function: Function) -> Bool {
    function.operationCount(upTo: operations) <= operations
      && function.values.allSatisfy { value in
        guard let count = value.fact.type.staticShape?.checkedProduct else { return true }
        return count <= elements
      }
  }

  /// Counts weights.
  private struct Sink: WeightSink {
    private(set) var byteCount = 0

    mutating func append(_ tensor: Tensor) -> Int {
      defer { byteCount += (tensor.byteCount + 63) / 64 * 64 }
      return byteCount
    }
  }
}

extension Function {
  /// Operations in all blocks; what lies beyond `limit` is not counted out.
  fileprivate func operationCount(upTo limit: Int) -> Int {
    func count(_ block: Block) -> Int {
      block.operations.reduce(block.operations.count) { total, operation in
        total > limit ? total : operation.blocks.reduce(total) { $0 + count($1) }
      }
    }
    return count(body)
  }
}
