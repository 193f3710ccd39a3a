import MLCCore
import MLCKernels

/// One way to compute convolutions in C.
protocol ConvolutionStrategy {
  /// Throws why this strategy does not take the problem.
  init(_ problem: ConvolutionProblem) throws(Diagnostic)
  func emit() -> EmittedKernel
}

/// The convolution strategies, by what they take: no two take the same problem, so the first that does is the choice.
package enum ConvolutionStrategies {
  private static var all: [any ConvolutionStrategy.Type] { [DepthwiseConv.self, DirectConvNCHWc.self, StemConv.self] }

  /// The code of a convolution, or why no strategy takes it.
  package static func emit(
    _ kernel: Kernel, in program: KernelProgram, for device: DeviceDescription
  ) throws(Diagnostic) -> EmittedKernel {
    try choose(kernel, in: program, for: device).emit()
  }

  package static func obstacle(
    to kernel: Kernel, in program: KernelProgram, for device: DeviceDescription
  ) -> Diagnostic? {
    do {
      _ = try choose(kernel, in: program, for: device)
      return nil
    } catch { return error }
  }

  private static func choose(
    _ kernel: Kernel, in program: KernelProgram, for device: DeviceDescription
  ) throws(Diagnostic) -> any ConvolutionStrategy {
    guard let problem = ConvolutionProblem(kernel, in: program, for: device) else {
      throw Diagnostic("c.convolution", "'\(kernel.family)' is no convolution", kind: .unsupported)
    }
    var reasons: [Diagnostic] = []
    for strategy in all {
      do { return try strategy.init(problem) } catch { reasons.append(error) }
    }
    // The strategies agree on what is wrong in general; otherwise each says why it stepped back.
    var first = reasons[0]
    first.notes = Array(reasons.dropFirst().map { $0.message }.filter { $0 != first.message })
    throw first
  }
}
