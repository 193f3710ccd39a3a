import MLCCore
import MLCPackage
import MLCText

/// The run side of a family of devices: loads code, binds sizes, launches.
package protocol Driver: Sendable {
  /// The family of the device descriptions it runs.
  var family: String { get }
  /// Threads that run its code, the caller's counted.
  var threads: Int { get }
  /// Why code for `device` cannot run here; `nil` when it can.
  func obstacle(to device: Manifest.Device) -> String?
  func load(_ artifact: Artifact) throws(Diagnostic) -> any Executable
  /// A queue of commands to the device, where it has a memory of its own; `nil` where code runs at once, in the
  /// caller's. Throws why there can be none.
  func makeQueue() throws(Diagnostic) -> (any DeviceQueue)?
}

extension Driver {
  package func makeQueue() throws(Diagnostic) -> (any DeviceQueue)? { nil }
}

/// The files of one segment of a function for one device, checked.
package struct Artifact: Sendable {
  package let kernels: PackageFile
  /// SHA-256 of `kernels`, in hexadecimal digits.
  package let kernelsDigest: String
  package let weights: MappedFile
  /// Parts of the weights of which a run reads only what data says.
  package let gathered: [Range<Int>]
  /// What the code must have been made for.
  package let identity: CodeIdentity
  /// Sizes that the code numbers: symbols and late symbols.
  package let sizeCount: Int

  package init(
    kernels: PackageFile,
    kernelsDigest: String,
    weights: MappedFile,
    gathered: [Range<Int>],
    identity: CodeIdentity,
    sizeCount: Int
  ) {
    (self.kernels, self.kernelsDigest, self.weights) = (kernels, kernelsDigest, weights)
    (self.gathered, self.identity, self.sizeCount) = (gathered, identity, sizeCount)
  }
}

/// One function or a segment of it, loaded. Many workspaces may run it at once.
package protocol Executable: Sendable {
  var steps: [ExecutableStep] { get }
  /// The texts that the code names by number; `nil` where it works on none.
  var texts: TextNumbers? { get }
  func makeWorkspace(profiling: Bool) throws(Diagnostic) -> any Workspace
}

/// One step of an executable: its kernel and the user's nodes inside, `Conv_0, Relu_1`.
package struct ExecutableStep: Hashable, Sendable {
  package let kernel: String, nodes: String

  package init(kernel: String, nodes: String) { (self.kernel, self.nodes) = (kernel, nodes) }
}

/// The memory that one run needs. One thread uses it at a time.
package protocol Workspace: AnyObject, Sendable {
  /// The executable's sizes by number. The caller writes them before `bind`; `run` writes the late ones.
  var sizes: UnsafeMutableBufferPointer<Int64> { get }
  /// Bytes of temporaries at the bound sizes.
  var arenaBytes: Int { get }
  /// Nanoseconds that the last run spent by step; empty unless profiling.
  var nanoseconds: UnsafeMutableBufferPointer<UInt64> { get }

  /// Makes ready for `sizes`; false where the executable cannot have these. Throws `runtime.too-large` or
  /// `runtime.memory`.
  func bind() throws(Diagnostic) -> Bool
  /// Runs once, with the texts of the run where the code works on such; the fault a kernel met, or `nil`.
  func run(
    inputs: UnsafePointer<UnsafeRawPointer?>,
    outputs: UnsafePointer<UnsafeMutableRawPointer?>,
    texts: TextMemory?
  ) -> Fault?
}

/// What a kernel found wrong in the data.
package struct Fault: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case index, division, size, text
    case unknown(Int)
  }

  /// `step` counts from 0.
  package let kind: Kind, step: Int

  package init(_ kind: Kind, step: Int) { (self.kind, self.step) = (kind, step) }

  /// In terms of the user's nodes in `steps`.
  func diagnostic(_ steps: [ExecutableStep]) -> Diagnostic {
    let step = steps.indices.contains(step) ? steps[step] : nil
    let place = Location(node: step?.nodes)
    return switch kind {
    case .index: Diagnostic("runtime.index", "an index is outside of the tensor it selects from", at: place)
    case .division: Diagnostic("runtime.division", "an integer is divided by zero", at: place)
    case .size:
      Diagnostic(
        "runtime.size",
        "a size that the data determines is negative, above its bound, unlike one that it has to be, or makes a tensor "
          + "larger than its limit",
        at: place,
        notes: ["'mlc compile --size-limit' sets the limit of tensors whose extents nothing bounds"]
      )
    case .text: Diagnostic("runtime.text", "a text that is to become a number spells none", at: place)
    case .unknown(let code): Diagnostic("runtime.fault", "a kernel reports fault \(code)", kind: .bug, at: place)
    }
  }
}
