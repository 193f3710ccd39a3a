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
  /// The ways to divide the work of `kernel`, which it takes, that it takes where the device's `variant` names one;
  /// none where it knows but one.
  static func variants(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> [String]
  /// What `obstacle` and `cost` say, planned once.
  static func outcome(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    -> StrategyCandidate.Outcome
}

extension Strategy {
  package static func variants(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> [String] {
    []
  }

  package static func outcome(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    -> StrategyCandidate.Outcome
  {
    if let obstacle = obstacle(to: kernel, in: program, on: device) { return .refused(obstacle.message) }
    return .cycles(cost(kernel, in: program, on: device))
  }
}
