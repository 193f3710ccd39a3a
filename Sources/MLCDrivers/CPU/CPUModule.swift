import CMLCKernelABI
import MLCCore
import MLCPackage
import MLCRuntime
import MLCText

/// A loaded shared object with its weights.
///
/// `@unchecked Sendable`: the module's table and the weights are constants; its code keeps no state.
final class CPUModule: @unchecked Sendable {  // constants, and code without state
  let table: mlc_module
  let weights: MappedFile
  let steps: [ExecutableStep]
  let texts: TextNumbers?
  /// Stays as long as the table and the code in it are used.
  private let object: SharedObject

  /// Throws `runtime.load` when the system cannot load the object, `runtime.abi` when it speaks another ABI,
  /// `package.contradiction` when it was made for something else than the package says, and `runtime.module` when its
  /// table is impossible.
  init(_ artifact: Artifact) throws(Diagnostic) {
    let object = try SharedObject(artifact.kernels, digest: artifact.kernelsDigest)
    guard let symbol = object.symbol("mlc_module_v5") else {
      throw Diagnostic("runtime.abi", "'\(artifact.kernels.name)' exports no mlc_module_v5")
    }
    table = symbol.load(as: mlc_module.self)
    try CPUModule.check(table, artifact)
    table.math.pointee = mlc_library_math()
    steps = CPUModule.steps(table)
    texts = try CPUModule.texts(table)
    weights = artifact.weights
    self.object = object
  }

  private static func check(_ table: mlc_module, _ artifact: Artifact) throws(Diagnostic) {
    guard table.abi_version == UInt32(MLC_ABI_VERSION) else {
      throw Diagnostic("runtime.abi", "the kernels speak ABI \(table.abi_version), this runtime \(MLC_ABI_VERSION)")
    }
    func require(_ condition: Bool, _ problem: String) throws(Diagnostic) {
      if !condition { throw Diagnostic("runtime.module", "the kernels do not fit the package: \(problem)") }
    }
    guard let identity = table.identity,
      Array(UnsafeBufferPointer(start: identity, count: 32)) == artifact.identity.bytes
    else { throw PackageReader.contradiction(artifact.kernels) }
    try require(table.bind != nil && table.run != nil && table.math != nil, "an entry point is missing")
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

  private static func texts(_ table: mlc_module) throws(Diagnostic) -> TextNumbers? {
    guard let first = table.texts, table.text_count > 0 else { return nil }
    let texts = UnsafeBufferPointer(start: first, count: Int(table.text_count)).map { text in
      String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: Int(text.count)), as: UTF8.self)
    }
    guard let numbers = TextNumbers(texts) else {
      throw Diagnostic("runtime.module", "the kernels do not fit the package: a text has two numbers")
    }
    return numbers
  }

  private static func steps(_ table: mlc_module) -> [ExecutableStep] {
    (0..<Int(table.step_count)).map { index in
      guard let name = table.step_names[index] else { return ExecutableStep(kernel: "", nodes: "") }
      let parts = String(cString: name).split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      return ExecutableStep(kernel: String(parts[0]), nodes: parts.count > 1 ? String(parts[1]) : "")
    }
  }
}
