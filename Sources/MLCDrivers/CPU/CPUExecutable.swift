import CMLCKernelABI
import MLCCore
import MLCRuntime
import MLCText

struct CPUExecutable: Executable {
  private let module: CPUModule
  private let pool: CPUPool

  init(_ module: CPUModule, _ pool: CPUPool) { (self.module, self.pool) = (module, pool) }

  var steps: [ExecutableStep] { module.steps }
  var texts: TextNumbers? { module.texts }

  func makeWorkspace(profiling: Bool) throws(Diagnostic) -> any Workspace {
    try CPUWorkspace(module, pool, profiling: profiling)
  }
}
