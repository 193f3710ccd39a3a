import MLCCore
import MLCKernels

/// Loop nests as C.
///
/// A nest falls into parts that run independently: whole channel blocks, the last block, and the zeros that a blocked
/// result keeps in its spare lanes and its halo. Every kernel that stores to a tensor with a halo writes that halo.
/// Each part is vectorised along an outer loop, as tiles of a transposition, or along the loops of its stages.
package struct LoopNestEmitter {
  let kernel: Kernel
  let program: KernelProgram
  let device: DeviceDescription
  let params: [KernelTensor]

  package init(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) {
    (self.kernel, self.program, self.device) = (kernel, program, device)
    params = kernel.params.map { program[$0.tensor] }
  }

  package static func obstacle(to nest: LoopNest, _ kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    for case .store(let p, _, _, _) in nest.stages where program[kernel.params[p].tensor].dtype.isPacked {
      let tensor = program[kernel.params[p].tensor]
      let message = "'\(tensor.name)' is \(tensor.type); code writes whole bytes"
      return Diagnostic("target.packed-store", message, kind: .unsupported)
    }
    return nil
  }

  package func emit(_ nest: LoopNest) -> EmittedKernel {
    var parts: [NestPart] = nest.hoisted().splitBlocks(params).map { part($0.normalised(params)) }
    for case .store(let p, _, _, _) in nest.stages { parts += zeros(p) }
    let dtype = kernel.params.last.map { program[$0.tensor].dtype } ?? .float32
    return EmittedKernel(
      KernelName(dtype, kernel.family, on: device),
      source: { [parts] in LoopNestEmitter.source(parts, $0) },
      tasks: parts.map(\.tasks).joined(separator: " + ")
    )
  }

  /// One part is the kernel; several are functions that it calls.
  private static func source(_ parts: [NestPart], _ symbol: String) -> String {
    if parts.count == 1 { return function("void \(symbol)", parts[0].body) }
    let functions = parts.enumerated().map { function("static void \(symbol)_part\($0.offset)", $0.element.body) }
    return functions.joined() + function("void \(symbol)", dispatch(parts, symbol))
  }

  func part(_ nest: LoopNest) -> NestPart {
    let writer = NestWriter(nest, kernel, program, device)
    return writer.part()
  }

  private static func function(_ head: String, _ body: String) -> String {
    """
    \(head)(
      const mlc_frame *frame, void *const *buffers, char *scratch, int64_t begin, int64_t end) {
    \(body)}

    """
  }

  private static func dispatch(_ parts: [NestPart], _ symbol: String) -> String {
    var code = CodeWriter(depth: 1)
    code.lines(["const int64_t *const s = frame->symbols;", "(void)s;", "int64_t from = 0, count;"])
    for (k, part) in parts.enumerated() {
      code.line("count = \(part.tasks);")
      code.block("if (begin < from + count && end > from)") {
        let range = "mlc_max_i64(begin - from, 0), mlc_min_i64(end - from, count)"
        $0.line("\(symbol)_part\(k)(frame, buffers, scratch, \(range));")
      }
      code.line("from += count;")
    }
    return code.text
  }

  /// The parts that zero the spare lanes and the halo of a blocked result.
  private func zeros(_ p: Int) -> [NestPart] {
    guard case .blocked(let b) = params[p].layout else { return [] }
    let t = params[p]
    let speller = ScalarSpeller(kernel, in: program)
    let bytes = "(int64_t)sizeof *p\(p)"
    let blocks = t.shape[1].ceilDiv(Dim(b.block))
    let row = (t.shape[3] + Dim(b.left + b.right)) * Dim(b.block)
    let plane = (t.shape[2] + Dim(b.top + b.bottom)) * row
    var parts: [NestPart] = []
    if b.top + b.bottom + b.left + b.right > 0 {
      var code = CodeWriter(depth: 1)
      code.lines(speller.prologue(kernel, in: program))
      code.block("for (int64_t t = begin; t < end; t++)") {
        let sizes = "\(speller.sizes.spell(t.shape[2])), \(speller.sizes.spell(t.shape[3]))"
        let halo = "\(b.top), \(b.bottom), \(b.left), \(b.right), \(b.block) * \(bytes)"
        $0.line("mlc_zero_halo((char *)(p\(p) + t * \(speller.sizes.spell(plane))), \(sizes), \(halo));")
      }
      parts.append(NestPart(tasks: speller.sizes.spell(t.shape[0] * blocks), body: code.text))
    }
    if let channels = t.shape[1].constant, channels.isMultiple(of: b.block) { return parts }
    var code = CodeWriter(depth: 1)
    code.lines(speller.prologue(kernel, in: program))
    code.line("const int64_t used = \(speller.sizes.spell(t.shape[1].mod(Dim(b.block))));")
    code.block("for (int64_t t = begin; used > 0 && t < end; t++)") {
      let last = "((t + 1) * \(speller.sizes.spell(blocks)) - 1) * \(speller.sizes.spell(plane))"
      $0.block("for (int64_t i = 0; i < \(speller.sizes.spell(plane)); i += \(b.block))") {
        $0.line("for (int64_t k = used; k < \(b.block); k++) p\(p)[\(last) + i + k] = 0;")
      }
    }
    parts.append(NestPart(tasks: speller.sizes.spell(t.shape[0]), body: code.text))
    return parts
  }
}

/// One independent piece of a kernel: the body of its function and how many tasks it divides into.
struct NestPart {
  var tasks: String, body: String
}
