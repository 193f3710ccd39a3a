import MLCCore
import MLCKernels

/// Attention for many queries: keys and values of one batch position are packed as they come into the second cache,
/// then a few queries at a time go through scores, softmax and sums without leaving the first. Keys beyond a chunk take
/// the online form of softmax, so that scratch is bounded whatever is symbolic.
package enum BlockedAttention: Strategy {
  package static let name = "BlockedAttention"

  package static func obstacle(to kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    -> Diagnostic?
  {
    if AttentionProblem(kernel, in: program) != nil { return nil }
    return Diagnostic(
      "target.attention-operands",
      "\(name) takes strided float16, bfloat16 and float32 operands of known depth only",
      kind: .unsupported,
      at: kernel.origins.first ?? Location()
    )
  }

  package static func cost(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> Double {
    guard let problem = AttentionProblem(kernel, in: program) else { return .infinity }
    let (products, packing) = (problem.products(on: device), problem.products(on: device, rows: 1))
    return products + 4 * packing
  }

  package static func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
  {
    guard let problem = AttentionProblem(kernel, in: program) else {
      throw obstacle(to: kernel, in: program, on: device)
        ?? Diagnostic("target.attention-operands", "not for \(name)", kind: .bug)
    }
    let emitter = BlockedAttentionEmitter(problem: problem, tile: AttentionTile(problem, on: device))
    return EmittedKernel(
      problem.kernelName(kernel, device, "\(emitter.tile.rows)x\(emitter.tile.panel)"),
      source: emitter.source,
      tasks: emitter.tasks,
      scratchBytes: emitter.scratchElements * 4
    )
  }
}

extension AttentionProblem {
  /// Vector operations for all products; an unknown extent counts as 128.
  func products(on device: DeviceDescription, rows: Int? = nil) -> Double {
    let batch = attention.batch.reduce(1.0) { $0 * Double($1.extent.constant ?? 8) }
    let m = Double(rows ?? attention.m.extent.constant ?? 128)
    let n = Double(attention.n.extent.constant ?? 128)
    return batch * m * n * Double(depth + width) / Double(device.lanes)
  }

  /// `mlc_f32_attention__x86_64_v4_14x32`.
  func kernelName(_ kernel: Kernel, _ device: DeviceDescription, _ suffix: String) -> KernelName {
    KernelName(type(attention.output), kernel.family, on: device, [suffix])
  }
}
