import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCPasses
import MLCTargetC

/// A function as generated code for one device, and what playing it needs to know.
package struct EmittedGraph {
  /// After the passes.
  private(set) var function: Function
  package var files: [SourceFile]
  let weights: SpacedWeights
  let plan: MemoryPlan
  /// The plan with every offset that is known before run time.
  private let placed: MemoryPlan
  private let program: KernelProgram
  /// The host fills all memory with what gives mistakes away.
  private static let sizeLimit = 1 << 20

  /// Throws what compiling throws.
  package init(_ source: Function, for device: DeviceDescription) throws(Diagnostic) {
    var function = source
    _ = try PassPipeline.standard.run(&function)
    let target = try CTarget(device)
    var program = try KernelProgram.optimized(
      function,
      for: target,
      verifyingEach: true,
      sizeLimit: EmittedGraph.sizeLimit
    )
    if program.texts != nil {
      throw Diagnostic("sanitized.text", "the function works on texts", kind: .unsupported)
    }
    try program.resolveCompressed(for: target)
    plan = MemoryPlan(program, isPlaced: false)
    placed = MemoryPlan(program)
    var weights = SpacedWeights()
    var builder = CModuleBuilder(program, target: target, plan: plan)
    let module = try builder.build(weights: &weights, files: 1)
    files = module.sealed(identity: [UInt8](repeating: 0, count: 32))
    (self.function, self.program, self.weights) = (function, program, weights)
  }

  /// The sizes of one run: bytes and types with late sizes at their bounds.
  package struct Layout {
    var symbols: [Int] = []
    var outputs: [Int] = []
    var buffers: [(byteCount: Int, offset: Int)] = []
  }

  /// `nil` when the sizes do not determine every extent, or one is negative.
  package func layout(_ sizes: [String: Int]) -> Layout? {
    var layout = Layout()
    var sizes = sizes
    for name in program.symbols {
      guard let size = sizes[name] else { return nil }
      layout.symbols.append(size)
    }
    for late in program.lateSymbols {
      guard let bound = late.bound.evaluate(sizes), bound >= 0 else { return nil }
      sizes[late.name] = bound
      layout.symbols.append(bound)
    }
    for output in function.outputs {
      guard let count = isOpen(output) ? program.sizeLimit : shape(output, sizes)?.checkedProduct,
        let byteCount = function.type(output).dtype.byteCount(count)
      else { return nil }
      layout.outputs.append(byteCount)
    }
    for (index, buffer) in plan.buffers.enumerated() {
      guard let byteCount = buffer.bytes.evaluate(sizes), byteCount >= 0 else { return nil }
      layout.buffers.append((byteCount, placed.offsets?[index] ?? -1))
    }
    return layout
  }

  private func isOpen(_ value: ValueID) -> Bool {
    let names = function.type(value).shape.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }
    return program.lateSymbols.contains { $0.isOpen && names.contains($0.name) }
  }

  /// The shape of a value for sizes by name; `nil` when they do not determine it or an extent is negative.
  private func shape(_ value: ValueID, _ sizes: [String: Int]) -> [Int]? {
    let extents = function.type(value).shape.compactMap { $0.evaluate(sizes) }
    return extents.count == function.type(value).rank && extents.allSatisfy { $0 >= 0 } ? extents : nil
  }

  /// The shapes of the outputs when sizes ended as `symbols`, in the program's order.
  func outputShapes(_ symbols: [Int]) -> [[Int]]? {
    let names = program.symbols + program.lateSymbols.map { $0.name }
    let sizes = Dictionary(uniqueKeysWithValues: zip(names, symbols))
    let shapes = function.outputs.compactMap { shape($0, sizes) }
    return shapes.count == function.outputs.count ? shapes : nil
  }

  /// What the host plays: the module's memory, then `runs` with their layouts.
  func hostData(_ runs: [(inputs: [Tensor], layout: Layout)]) -> HostData {
    var data = HostData()
    let symbols = program.symbols.count + program.lateSymbols.count
    for number in [runs.count, symbols, function.inputs.count, function.outputs.count, plan.buffers.count] {
      data.append(number)
    }
    data.append(weights.byteCount)
    weights.bytes.withUnsafeBytes { data.append(contentsOf: $0) }
    data.append(weights.constants.count)
    for constant in weights.constants {
      data.append(constant.offset)
      data.append(constant.byteCount)
    }
    for run in runs { append(run.inputs, run.layout, to: &data) }
    return data
  }

  private func append(_ inputs: [Tensor], _ layout: Layout, to data: inout HostData) {
    layout.symbols.withUnsafeBytes { data.append(contentsOf: $0) }
    for tensor in inputs {
      data.append(tensor.dtype.alignment)
      data.append(tensor.byteCount)
      tensor.withBytes { data.append(contentsOf: $0) }
    }
    for (output, byteCount) in zip(function.outputs, layout.outputs) {
      data.append(function.type(output).dtype.alignment)
      data.append(byteCount)
    }
    for buffer in layout.buffers {
      data.append(buffer.byteCount)
      data.append(buffer.offset)
    }
  }
}
