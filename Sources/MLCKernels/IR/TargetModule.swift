import MLCCore

/// What a target made of a program: code, not built yet.
package protocol TargetModule: Sendable {
  /// The kernel calls of the program, in order.
  var steps: [ModuleStep] { get }
  /// Bytes of the temporaries, when every size is a number that something bounds.
  var arenaBytes: Int? { get }
  /// Bytes that the file of weights has to have for it.
  var weightBytes: Int { get }
  /// The places in that file of large tables of which a run reads only what data says.
  var gatheredWeights: [Range<Int>] { get }
  /// What a reader may want to see of the code.
  var sources: [SourceFile] { get }
  /// The file that a driver loads, built in `folder`, which is empty. Equal modules give equal bytes. `identity`, 32
  /// bytes, says what the module was made for; each tool that is run may take `limits`.
  func build(identity: [UInt8], in folder: String, limits: ChildLimits) throws(Diagnostic) -> String
}

extension TargetModule {
  package var gatheredWeights: [Range<Int>] { [] }
}

/// One kernel call.
package struct ModuleStep: Sendable {
  /// The kernel's name in the code.
  package var kernel: String
  package var origins: [Location]
  /// The tensors that it writes.
  package var results: [TensorType]
  /// Operations, where there is an estimate, and bytes of the tensors that it touches.
  package var operations: Dim?, bytes: Dim
  /// What measurements of it are kept by; `nil` where nobody measures.
  package var problem: String?
  /// What kind of kernel it is, and the element type of what it multiplies where it is a contraction.
  package var kind: String, factors: DType?
  /// The ways to compute it that were weighed, the one that was chosen first; none where there was no choice.
  package var candidates: [StrategyCandidate]

  package init(
    _ name: String,
    _ kernel: Kernel,
    in program: KernelProgram,
    factors: DType? = nil,
    candidates: [StrategyCandidate] = []
  ) {
    (self.kernel, origins, results) = (name, kernel.origins, kernel.results(in: program))
    self.candidates = candidates
    (kind, self.factors) = (kernel.kind, factors ?? kernel.factorType(in: program))
    (operations, bytes) = (kernel.operations(in: program), kernel.bytes(in: program))
  }
}

/// A file of generated code.
package struct SourceFile: Sendable {
  package var name: String, text: String
  package init(name: String, text: String) { (self.name, self.text) = (name, text) }
}

/// Takes constants as they are packed and says where each begins: a file of weights, which several modules may share.
/// Offsets are multiples of 64.
package protocol WeightSink: ~Copyable {
  mutating func append(_ tensor: Tensor) throws(Diagnostic) -> Int
  var byteCount: Int { get }
}
