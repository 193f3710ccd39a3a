import FoundationEssentials
import MLCCore
import MLCKernels
import MLCText

/// A program as C: what clang turns into one shared object.
package struct CModule: TargetModule {
  package let device: DeviceDescription
  /// The main one first.
  package let sources: [SourceFile]
  package let steps: [ModuleStep]
  package let arenaBytes: Int?
  package let weightBytes: Int
  package let gatheredWeights: [Range<Int>]

  /// The sources with what the module was made for: 32 bytes, which follow from the weights too. Nothing links without.
  package func sealed(identity: [UInt8]) -> [SourceFile] {
    precondition(identity.count == 32, "\(identity.count) bytes of identity")
    let bytes = identity.map { "\($0)" }.joined(separator: ", ")
    var sources = sources
    sources[0].text += "\n\(CModuleText.identity) = {\(bytes)};\n"
    return sources
  }

  /// Throws `compiler.missing` and what `CCompiler.build` throws.
  package func build(identity: [UInt8], in folder: String, limits: ChildLimits) throws(Diagnostic) -> String {
    try CCompiler.find(limits: limits).build(sealed(identity: identity), for: device, in: folder)
  }
}

extension CTarget {
  package static func check(
    _ devices: [DeviceDescription],
    limits: ChildLimits,
    beside path: String
  ) throws(Diagnostic) {
    let compiler = try CCompiler.find(limits: limits)
    // Every clang of these years knows what code is written with; others are asked.
    if !compiler.isClang { for device in devices { try compiler.check(device, beside: path) } }
  }

  package func module(
    for program: KernelProgram,
    plan: MemoryPlan,
    weights: inout some WeightSink & ~Copyable,
    budget: Budget
  ) throws(Diagnostic) -> any TargetModule {
    var builder = CModuleBuilder(program, target: self, plan: plan, budget: budget)
    return try builder.build(weights: &weights, files: max(2, ProcessInfo.processInfo.activeProcessorCount))
  }
}

/// Emits every kernel of a program and the code that calls them.
package struct CModuleBuilder {
  let target: CTarget
  let program: KernelProgram
  let plan: MemoryPlan
  let sizes: SizeSpelling
  private var kernels: [(symbol: String, source: String)] = []
  /// By the code of a kernel under one and the same symbol.
  private var symbolOfCode: [String: String] = [:]
  /// How many kernels have a name.
  private var takenNames: [String: Int] = [:]
  private var offsetOfConstant: [TensorID: Int] = [:]
  private var bufferOfTensor: [TensorID: Int] = [:]
  private var steps: [ModuleStep] = []
  /// Of late sizes.
  private let bounds: [String: Dim]
  private var openTensors: OpenTensors
  private var scratchBytes = 0
  /// Functions that hold parts of the program, in the order of their numbers.
  private var parts: [CCode] = []
  /// The C compiler takes more than twice as long for a function of twice as many calls.
  private static let partLength = 64
  /// Bytes of kernels that take the C compiler several times as long as its start and what stands before them.
  private static let leastFile = 16384
  private let budget: Budget

  /// `plan` is that of `program`, made here when it is not given.
  package init(
    _ program: KernelProgram,
    target: CTarget,
    plan: MemoryPlan? = nil,
    budget: Budget = Budget()
  ) {
    (self.program, self.target, self.budget) = (program, target, budget)
    self.plan = plan ?? MemoryPlan(program)
    sizes = SizeSpelling(program)
    bounds = Dictionary(uniqueKeysWithValues: program.lateSymbols.map { ($0.name, $0.bound) })
    openTensors = OpenTensors(program, sizes)
    for (index, buffer) in self.plan.buffers.enumerated() { bufferOfTensor[buffer.tensor] = index }
  }

  /// Throws what the target's `emit` throws, located at the user's node.
  ///
  /// Makes up to `count` files beside the main one, for as many C compilers at once.
  package mutating func build(weights: inout some WeightSink & ~Copyable, files count: Int = 4) throws(Diagnostic)
    -> CModule
  {
    let body = try code(program.steps, weights: &weights)
    return CModule(
      device: target.device,
      sources: sources(calls(body), tables(weightBytes: weights.byteCount), kernelTexts(count)),
      steps: steps,
      arenaBytes: plan.offsets == nil || program.lateSymbols.contains { $0.isOpen } ? nil : plan.arenaBytes,
      weightBytes: weights.byteCount,
      gatheredWeights: gatheredWeights
    )
  }

  /// Those that are no smaller than a huge page, which the system would bring in as a whole.
  private var gatheredWeights: [Range<Int>] {
    let places = program.gatheredConstants.compactMap { id -> Range<Int>? in
      guard case .constant(let tensor) = program[id].kind, let offset = offsetOfConstant[id],
        tensor.byteCount >= 1 << 21
      else { return nil }
      return offset..<offset + tensor.byteCount
    }
    return Set(places).sorted { $0.lowerBound < $1.lowerBound }
  }

  // MARK: Steps

  /// The steps as statements; many of them as calls of functions that hold a part each.
  private mutating func code(
    _ items: [KernelProgram.Step],
    weights: inout some WeightSink & ~Copyable
  ) throws(Diagnostic) -> CCode {
    if items.count <= Self.partLength { return try statements(items[...], weights: &weights) }
    var calls = CCode()
    var rest = items[...]
    while !rest.isEmpty {
      let statements = try statements(rest.prefix(Self.partLength), weights: &weights)
      rest = rest.dropFirst(Self.partLength)
      calls += "run_\(parts.count)(f);"
      parts.append(
        """
        __attribute__((noinline)) static void run_\(parts.count)(const mlc_frame *f) {
          int64_t *const s = f->symbols;
          (void)s;
          \(statements)
        }

        """
      )
    }
    return calls
  }

  private mutating func statements(
    _ items: ArraySlice<KernelProgram.Step>,
    weights: inout some WeightSink & ~Copyable
  ) throws(Diagnostic) -> CCode {
    var code = CCode()
    for item in items { code += try statement(item, weights: &weights) }
    return code
  }

  private mutating func statement(
    _ item: KernelProgram.Step,
    weights: inout some WeightSink & ~Copyable
  ) throws(Diagnostic) -> CCode {
    switch item {
    case .kernel(let kernel): return try call(kernel, weights: &weights)
    case .branch(let condition, let then, let otherwise):
      let condition = try pointer(condition, &weights)
      let (then, otherwise) = (try code(then, weights: &weights), try code(otherwise, weights: &weights))
      return """
        if (*(const uint8_t *)\(condition)) {
          \(then)
        } else {
          \(otherwise)
        }
        """
    case .loop(let loop): return try self.loop(loop, weights: &weights)
    case .bindSize(let name, let tensor):
      let type = program[tensor].dtype == .int32 ? "int32_t" : "int64_t"
      let (size, bound) = (sizes.spell(.symbol(name)), sizes.spell(bounds[name]!))
      return """
        \(size) = checked_size(f, *(const \(type) *)\(try pointer(tensor, &weights)), \(bound));
        \(openTensors.refusal(setting: name))
        """
    case .setSize(let name, let value):
      return """
        \(sizes.spell(.symbol(name))) = \(sizes.spell(value));
        \(openTensors.refusal(setting: name))
        """
    case .checkSizes(let items):
      return "if (\(items.map { "(\(sizes.violation($0)))" }.joined(separator: " || "))) refuse_size(f);"
    }
  }

  private mutating func loop(
    _ loop: KernelProgram.Loop,
    weights: inout some WeightSink & ~Copyable
  ) throws(Diagnostic) -> CCode {
    let head = try code(loop.head, weights: &weights)
    let condition = try pointer(loop.condition, &weights)
    let body = try code(loop.body, weights: &weights)
    var copies = CCode()
    for carried in loop.carried where carried.state != carried.next {
      let bytes = sizes.spell(program[carried.next].storedBytes)
      let (to, from) = (try pointer(carried.state, &weights), try pointer(carried.next, &weights))
      copies += "memcpy((void *)\(to), (const void *)\(from), (uint64_t)\(bytes));"
    }
    let changed = loop.sizes
    let next = changed.map { sizes.spell($0.value) }.joined(separator: ", ")
    let checks = changed.enumerated().map { number, item in
      "if (next[\(number)] > \(sizes.spell(bounds[item.name]!))) { *f->fault = MLC_FAULT_SIZE; break; }"
    }
    let excess = openTensors.excess(changing: changed)
    let limit: CCode? = excess.map { condition in
      """
      int over = 0;
      if (\(condition) || over) {
        refuse_size(f);
        break;
      }
      """
    }
    let sets = changed.enumerated().map { "\(sizes.spell(.symbol($1.name))) = next[\($0)];" }
    return """
      for (;;) {
        \(head)
        if (*f->fault || !*(const uint8_t *)\(condition)) break;
        \(body)
        \(changed.isEmpty ? "" : "const int64_t next[] = {\(next)};")
        \(CCode(lines: checks))
        \(limit ?? [])
        \(copies)
        \(CCode(lines: sets))
      }
      """
  }

  private mutating func call(
    _ kernel: Kernel,
    weights: inout some WeightSink & ~Copyable
  ) throws(Diagnostic) -> CCode {
    let emitted: EmittedKernel
    do {
      try budget.checkTime()
      emitted = try target.emit(kernel, in: program)
    } catch {
      var located = error
      located.location = error.location.within(kernel.origins.first ?? .init())
      throw located
    }
    let symbol = share(emitted)
    scratchBytes = max(scratchBytes, emitted.scratchBytes)
    var pointers: [String] = []
    for (index, param) in kernel.params.enumerated() {
      if let packed = emitted.packed[index] {
        pointers.append("(void *)(f->weights + \(try weights.append(packed)))")
      } else {
        pointers.append("(void *)\(try pointer(param.tensor, &weights))")
      }
    }
    let number = steps.count
    var step = ModuleStep(symbol, kernel, in: program, factors: emitted.factors, candidates: emitted.candidates)
    step.problem = emitted.problem
    steps.append(step)
    let (function, work) = emitted.phases == nil ? ("run_step", emitted.tasks) : ("run_phases", emitted.work)
    return """
      {
        void *const p[] = {\(pointers.joined(separator: ", "))};
        \(function)(f, \(number), \(symbol), p, \(work));
      }
      """
  }

  /// The symbol under which `emitted` stands in the module: that of code that is equal but for its symbol, if there is
  /// some.
  private mutating func share(_ emitted: EmittedKernel) -> String {
    let code = emitted.source("kernel")
    if let known = symbolOfCode[code] { return known }
    let count = takenNames[emitted.name, default: 0] + 1
    takenNames[emitted.name] = count
    let symbol = count == 1 ? emitted.name : "\(emitted.name)__\(count)"
    precondition(CText.isSymbol(symbol), "'\(symbol)' is no name for a kernel")
    symbolOfCode[code] = symbol
    kernels.append((symbol, emitted.source(symbol)))
    return symbol
  }

  /// A C expression for the address of a tensor.
  private mutating func pointer(_ id: TensorID, _ weights: inout some WeightSink & ~Copyable) throws(Diagnostic)
    -> String
  {
    let root = program.root(id)
    switch program[root].kind {
    case .input(let index): return "f->inputs[\(index)]"
    case .output(let index): return "f->outputs[\(index)]"
    case .constant(let tensor):
      if offsetOfConstant[root] == nil { offsetOfConstant[root] = try weights.append(tensor) }
      return "(f->weights + \(offsetOfConstant[root]!))"
    case .compressed: preconditionFailure("codes are packed by whoever reads them: \(program[root].name)")
    case .temporary:
      guard let buffer = bufferOfTensor[root] else { preconditionFailure("no memory for \(program[root].name)") }
      return plan.offsets.map { "(f->arena + \($0[buffer]))" } ?? "(f->arena + f->offsets[\(buffer)])"
    case .alias: preconditionFailure("an alias is no root")
    }
  }

  // MARK: Files

  /// What is short is one file: of a small one the C compiler's start is a good part.
  private func sources(_ calls: String, _ tables: String, _ kernels: [[String]]) -> [SourceFile] {
    let isShort = kernels.count == 1
    let main = file("module.c", [calls] + (isShort ? kernels[0] : []), tables)
    return [main] + (isShort ? [] : kernels.enumerated().map { file("kernels_\($0).c", $1) })
  }

  /// `tables` name nothing of the prelude, though the model's names may.
  private func file(_ name: String, _ texts: [String], _ tables: String = "") -> SourceFile {
    SourceFile(name: name, text: ([target.prelude(of: texts)] + texts + [tables]).joined(separator: "\n"))
  }

  /// The kernels in at most `count` parts of about the same length, none of them short.
  private func kernelTexts(_ count: Int) -> [[String]] {
    let most = kernels.reduce(0) { $0 + $1.source.utf8.count } / Self.leastFile
    var parts = [[String]](repeating: [], count: max(1, min(count, kernels.count, most)))
    var loads = [Int](repeating: 0, count: parts.count)
    for kernel in kernels.sorted(by: { $0.source.utf8.count > $1.source.utf8.count }) {
      let least = loads.indices.min { loads[$0] < loads[$1] }!
      parts[least].append(kernel.source)
      loads[least] += kernel.source.utf8.count
    }
    return parts
  }

  /// The texts that the code names by number.
  private var texts: CCode {
    guard let texts = program.texts?.texts else { return [] }
    let rows = texts.map { "{\(CText.bytes($0)), \($0.utf8.count)}," }
    return """
      static const mlc_text texts[] = {
        \(CCode(lines: rows))
      };
      """
  }

  private var bind: BindFunction { BindFunction(program.requirements, plan, sizes) }

  /// What calls the kernels.
  private func calls(_ body: CCode) -> String {
    let prototypes = kernels.map {
      "void \($0.symbol)(const mlc_frame *, void *const *, char *, int64_t, int64_t);"
    }
    let code: CCode = """
      \(CModuleText.library)

      \(CCode(lines: prototypes))

      \(CModuleText.step)

      \(program.lateSymbols.isEmpty ? "" : CModuleText.late)

      \(openTensors.functions)

      \(parts.joined())
      static void run(const mlc_frame *f) {
        int64_t *const s = f->symbols;
        (void)s;
        \(openTensors.atStart)
        \(body)
      }

      \(bind.code)
      """
    return code.text
  }

  /// What the driver reads.
  private func tables(weightBytes: Int) -> String {
    // The only place where the model's names stand in a source.
    let names = steps.enumerated().map { number, step in
      let nodes = step.origins.compactMap { $0.node?.cut(to: 256) }.joined(separator: ", ")
      return "\(CText.literal("\(step.kernel)\t\(nodes)")),  // \(number)"
    }
    let symbolCount = program.symbols.count + program.lateSymbols.count
    let code: CCode = """
      extern \(CModuleText.identity);

      \(texts)

      static const char *const step_names[] = {
        \(CCode(lines: names))
        0,
      };

      __attribute__((visibility("default"))) const mlc_module mlc_module_v5 = {
        MLC_ABI_VERSION, \(symbolCount), \(bind.offsetCount), \(steps.count),
        \(scratchBytes), \(weightBytes), step_names, bind, run, &mlc_imports, mlc_identity,
        \(program.texts == nil ? "0" : "texts"), \(program.texts?.texts.count ?? 0),
      };
      """
    return code.text
  }
}
