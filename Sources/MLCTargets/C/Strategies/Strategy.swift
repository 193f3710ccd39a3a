import MLCCore
import MLCKernels

/// One way to compute a contraction on a device: what it accepts, what it costs, what it emits.
package protocol Strategy: Sendable {
  static var name: String { get }
  /// `nil` when the kernel can be emitted; otherwise why not.
  static func obstacle(to kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> Diagnostic?
  /// An estimate of cycles on one core, comparable between strategies of one kernel.
  static func cost(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> Double
  static func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
}
