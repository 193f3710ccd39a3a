import MLCCore
import MLCKernels

/// One to four rows times a matrix known only as the program runs, which is read once, where it lies: along its rows
/// (steps of k) where columns are neighbours, else along its columns.
package enum StreamedGemv: Strategy {
  package static let name = "StreamedGemv"
  private static let label = "streamed"

  /// How the matrix is read.
  enum Order: Equatable {
    /// Some rows at a time, each a multiple of one element of the left operand, added to sums in scratch.
    case rows
    /// A vector of columns at a time, each a sum along its elements.
    case columns
  }

  package static func obstacle(to kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    -> Diagnostic?
  {
    let origin = kernel.origins.first ?? Location()
    guard let problem = GemmProblem(kernel, in: program) else {
      return Diagnostic(
        "target.matmul-operands",
        "\(name) takes strided operands of float16 to float64, int32 and int64 only",
        kind: .unsupported,
        at: origin
      )
    }
    if order(problem) != nil { return nil }
    return Diagnostic("target.matmul-shape", "\(name) is not for this matmul", kind: .unsupported, at: origin)
  }

  /// `nil` when the problem is not for this strategy.
  private static func order(_ problem: GemmProblem) -> Order? {
    let matmul = problem.matmul
    guard !problem.isConstant, problem.sumElement == .float32, let m = matmul.m.extent.constant, (1...4).contains(m)
    else {
      return nil
    }
    if problem.rhs.stride(matmul.n) == 1 { return .rows }
    let areVectors = problem.rhs.stride(matmul.k) == 1 && problem.lhs.stride(matmul.k) == 1
    return areVectors ? .columns : nil
  }

  package static func cost(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> Double {
    guard let problem = GemmProblem(kernel, in: program), order(problem) != nil else { return .infinity }
    let matmul = problem.matmul
    let extents = (matmul.batch + [matmul.m, matmul.n, matmul.k]).map { Double($0.extent.constant ?? 8) }
    return extents.reduce(1, *) / Double(device.lanes)
  }

  package static func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
  {
    guard let problem = GemmProblem(kernel, in: program), let order = order(problem),
      let rows = problem.matmul.m.extent.constant
    else {
      throw obstacle(to: kernel, in: program, on: device)
        ?? Diagnostic("target.matmul-shape", "\(name) is not for this matmul", kind: .bug)
    }
    let emitter = StreamedGemvEmitter(
      problem: problem,
      order: order,
      rows: rows,
      device: device,
      sizes: SizeSpelling(program),
      kernel: kernel,
      program: program
    )
    return EmittedKernel(
      KernelName(problem.outputType, kernel.family, on: device, [label, "\(order)", "\(rows)"]),
      source: emitter.source,
      tasks: emitter.tasks,
      scratchBytes: emitter.scratchBytes
    )
  }
}
