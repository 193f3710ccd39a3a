import MLCCore
import MLCKernels

/// Loop nests as C.
///
/// A nest falls into parts that run independently: whole channel blocks, the last block, and what a blocked result
/// keeps in its spare lanes and its halo. Every kernel that stores to a tensor with a halo writes that halo.
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
  private static func source(_ parts: [NestPart], _ symbol: String) -> CCode {
    if parts.count == 1 { return .kernel(symbol, parts[0].body) }
    let functions = parts.enumerated().map { number, part in
      CCode.kernel("\(symbol)_part\(number)", linkage: "static ", part.body)
    }
    return functions.joined() + .kernel(symbol, dispatch(parts, symbol))
  }

  /// Loops whose positions are divided are counted in two where vectors do not run along them as they are: those that
  /// are long enough for vectors, and all of them where elements come one by one, as the compiler has vectors for some.
  func part(_ nest: LoopNest) -> NestPart {
    func writer(_ nest: LoopNest) -> NestWriter { NestWriter(nest, kernel, program, device) }
    if let part = writer(nest).vectors() { return part }
    let split = nest.splitDivisions(params, own: device.lanes, outer: device.lanes)
    if let part = writer(split).vectors() ?? writer(nest).turnedValue() { return part }
    let fine = split.splitDivisions(params, own: device.lanes, outer: 2)
    return writer(fine).interleaved() ?? writer(split).gathers() ?? writer(fine).positions()
  }

  private static func dispatch(_ parts: [NestPart], _ symbol: String) -> CCode {
    let calls = parts.enumerated().map { number, part -> CCode in
      """
      count = \(part.tasks);
      if (begin < from + count && end > from)
        \(symbol)_part\(number)(
          frame, buffers, scratch, mlc_max_i64(begin - from, 0), mlc_min_i64(end - from, count));
      from += count;
      """
    }
    return """
      const int64_t *const s = frame->symbols;
      (void)s;
      int64_t from = 0, count;
      \(calls.joined())
      """
  }

  /// The parts that fill the spare lanes and the halo of a blocked result.
  private func zeros(_ p: Int) -> [NestPart] {
    guard case .blocked(let b) = params[p].layout else { return [] }
    let t = params[p]
    let speller = ScalarSpeller(kernel, in: program)
    let prologue = speller.prologue(kernel, in: program)
    func spell(_ dim: Dim) -> String { speller.sizes.spell(dim) }
    let blocks = t.shape[1].ceilDiv(Dim(b.block))
    let plane = (t.rows + Dim(b.top + b.bottom)) * (t.columns + Dim(b.left + b.right)) * Dim(b.block)
    let volume = t.depth * plane
    var parts: [NestPart] = []
    if b.top + b.bottom + b.left + b.right > 0 {
      let sizes = "\(spell(t.rows)), \(spell(t.columns))"
      let halo = "\(b.top), \(b.bottom), \(b.left), \(b.right), \(b.block) * (int64_t)sizeof *p\(p), \(b.fill)"
      let body: CCode = """
        \(prologue)
        for (int64_t t = begin; t < end; t++)
          mlc_fill_halo((char *)(p\(p) + t * \(spell(plane))), \(sizes), \(halo));
        """
      parts.append(NestPart(tasks: spell(t.shape[0] * blocks * t.depth), body: body))
    }
    if t.dtype.bitWidth == 8 { return parts }
    if let channels = t.shape[1].constant, channels.isMultiple(of: b.block) { return parts }
    let body: CCode = """
      \(prologue)
      const int64_t used = \(spell(t.shape[1].mod(Dim(b.block))));
      for (int64_t t = begin; used > 0 && t < end; t++) {
        for (int64_t i = 0; i < \(spell(volume)); i += \(b.block)) {
          for (int64_t k = used; k < \(b.block); k++)
            p\(p)[((t + 1) * \(spell(blocks)) - 1) * \(spell(volume)) + i + k] = 0;
        }
      }
      """
    parts.append(NestPart(tasks: spell(t.shape[0]), body: body))
    return parts
  }
}

/// One independent piece of a kernel: the body of its function and how many tasks it divides into.
struct NestPart {
  var tasks: String, body: CCode
}
