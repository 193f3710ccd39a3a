import MLCCore
import MLCKernels

/// Loop nests as C.
package struct LoopNestEmitter {
  let kernel: Kernel
  let program: KernelProgram
  let device: DeviceDescription

  package init(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) {
    (self.kernel, self.program, self.device) = (kernel, program, device)
  }

  package static func obstacle(to nest: LoopNest, _ kernel: Kernel, in program: KernelProgram) -> Diagnostic? { nil }

  package func emit(_ nest: LoopNest) -> EmittedKernel { fatalError() }
}
