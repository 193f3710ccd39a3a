import MLCCore
import MLCKernels

/// A strategy for convolutions: it takes a problem or says why not, and then knows everything that its code needs.
protocol ConvolutionStrategy: Strategy {
  init(_ problem: ConvolutionProblem) throws(Diagnostic)
  /// Cycles on one core, sizes that are not known taken as 64.
  var cost: Double { get }
  func emit() -> EmittedKernel
}

extension ConvolutionStrategy {
  package static func obstacle(
    to kernel: Kernel,
    in program: KernelProgram,
    on device: DeviceDescription
  ) -> Diagnostic? {
    do {
      _ = try plan(kernel, program, device)
      return nil
    } catch { return error }
  }

  /// Infinite for a kernel that `obstacle` refuses.
  package static func cost(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> Double {
    do { return try plan(kernel, program, device).cost } catch { return .infinity }
  }

  package static func outcome(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    -> StrategyCandidate.Outcome
  {
    do { return .cycles(try plan(kernel, program, device).cost) } catch { return .refused(error.message) }
  }

  package static func emit(
    _ kernel: Kernel,
    in program: KernelProgram,
    on device: DeviceDescription
  ) throws(Diagnostic) -> EmittedKernel {
    try plan(kernel, program, device).emit()
  }

  private static func plan(
    _ kernel: Kernel,
    _ program: KernelProgram,
    _ device: DeviceDescription
  ) throws(Diagnostic) -> Self {
    guard let problem = ConvolutionProblem(kernel, in: program, for: device) else {
      throw Diagnostic("c.convolution", "'\(kernel.family)' is no convolution", kind: .unsupported)
    }
    return try Self(problem)
  }
}
