import CMLCKernelABI
import MLCCore
import MLCRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A loaded shared object with its weights.
///
/// `@unchecked Sendable`: the module's table and the weights are constants; its code keeps no state.
final class CPUModule: @unchecked Sendable {  // constants, and code without state
  let table: mlc_module
  let weights: MappedFile
  let steps: [ExecutableStep]
  private let handle: UnsafeMutableRawPointer

  /// Throws `runtime.load` when the system cannot load the object, `runtime.abi` when it speaks another ABI and
  /// `runtime.module` when its table does not fit the package.
  init(_ artifact: Artifact) throws(Diagnostic) {
    guard let handle = dlopen(artifact.kernels, RTLD_NOW | RTLD_LOCAL) else {
      let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
      throw Diagnostic("runtime.load", "cannot load the kernels: \(reason)", kind: .environment)
    }
    do throws(Diagnostic) {
      guard let symbol = dlsym(handle, "mlc_module_v1") else {
        throw Diagnostic("runtime.abi", "'\(artifact.kernels)' exports no mlc_module_v1")
      }
      table = symbol.load(as: mlc_module.self)
      try CPUModule.check(table, artifact)
    } catch {
      dlclose(handle)
      throw error
    }
    steps = CPUModule.steps(table)
    weights = artifact.weights
    self.handle = handle
  }

  deinit { dlclose(handle) }

  private static func check(_ table: mlc_module, _ artifact: Artifact) throws(Diagnostic) {
    guard table.abi_version == UInt32(MLC_ABI_VERSION) else {
      throw Diagnostic("runtime.abi", "the kernels speak ABI \(table.abi_version), this runtime \(MLC_ABI_VERSION)")
    }
    func require(_ condition: Bool, _ problem: String) throws(Diagnostic) {
      if !condition { throw Diagnostic("runtime.module", "the kernels do not fit the package: \(problem)") }
    }
    try require(table.bind != nil && table.run != nil, "an entry point is missing")
    try require(
      Int(table.symbol_count) == artifact.sizeCount,
      "they number \(table.symbol_count) sizes, the interface \(artifact.sizeCount)"
    )
    try require(table.offset_count <= 1 << 24 && table.step_count <= 1 << 24, "too many steps")
    try require(table.step_count == 0 || table.step_names != nil, "the steps have no names")
    try require((0...Int64(1 << 30)).contains(table.scratch_bytes), "\(table.scratch_bytes) bytes of scratch")
    try require(
      (0...Int64(artifact.weights.bytes.count)).contains(table.weight_bytes),
      "they use \(table.weight_bytes) bytes of weights, there are \(artifact.weights.bytes.count)"
    )
  }

  private static func steps(_ table: mlc_module) -> [ExecutableStep] {
    (0..<Int(table.step_count)).map { index in
      guard let name = table.step_names[index] else { return ExecutableStep(kernel: "", nodes: "") }
      let parts = String(cString: name).split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      return ExecutableStep(kernel: String(parts[0]), nodes: parts.count > 1 ? String(parts[1]) : "")
    }
  }
}
