import MLCCore
import MLCKernels

/// What the routines have in common: the function around a body, its name, how elements are read.
struct RoutineFrame {
  let kernel: Kernel, program: KernelProgram, device: DeviceDescription

  func size(_ dim: Dim) -> String { SizeSpelling(program).spell(dim) }
  func dtype(_ param: Int) -> DType { program[kernel.params[param].tensor].dtype }

  /// `body`, given the kernel's symbol, sees the sizes and parameters of the prologue and works on the tasks
  /// `begin ..< end`. `helpers` defines functions for it.
  func emitted(
    tasks: String,
    helpers: @escaping @Sendable (_ symbol: String) -> CCode = { _ in [] },
    body: @escaping @Sendable (_ symbol: String) -> CCode
  ) -> EmittedKernel {
    let prologue = ScalarSpeller(kernel, in: program).prologue(kernel, in: program)
    return EmittedKernel(
      KernelName(dtype(0), kernel.family, on: device),
      source: { helpers($0) + .kernel($0, prologue + body($0)) },
      tasks: tasks
    )
  }

  /// Why a routine of `count` parameters cannot be emitted: others, or elements smaller than a byte.
  static func obstacle(to kernel: Kernel, params count: Int, in program: KernelProgram) -> Diagnostic? {
    guard kernel.params.count == count else {
      let message = "a routine of \(count) parameters, and \(kernel.params.count) given"
      return Diagnostic("target.routine", message, kind: .bug)
    }
    for param in kernel.params where program[param.tensor].dtype.isPacked {
      let tensor = program[param.tensor]
      let message = "'\(tensor.name)' is \(tensor.type); code writes whole bytes"
      return Diagnostic("target.packed-store", message, kind: .unsupported)
    }
    return nil
  }
}
