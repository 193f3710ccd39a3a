import MLCCore
import MLCText

/// A function as kernels over tensors, in order, with structured control flow.
package struct KernelProgram: Sendable {
  package var tensors: [KernelTensor] = []
  package var steps: [Step] = []
  /// Names of the sizes that the inputs' shapes bind.
  package var symbols: [String] = []
  /// Sizes known only as the program runs, in the order in which they become known.
  package var lateSymbols: [LateSize] = []
  /// The most elements of a tensor that has an extent which nothing bounds before the program runs.
  package var sizeLimit = usualSizeLimit
  /// Late sizes that have their values when the program begins.
  package var knownSizes: Set<String> = []
  /// What the sizes that the inputs bind must keep, or kernels would leave their tensors.
  package var requirements: [SizeRequirement] = []

  /// Memory that outlives a run, of which some is changed in place (`placeStates`).
  package var states: [StateMemory] = []

  /// The texts that its constants and routines name, where it works on texts. Kernels know a text by its number, a
  /// `uint32`; those that come up as it runs get further numbers.
  package var texts: TextNumbers?
  /// What the user should know of how weights are stored.
  package var remarks: [Diagnostic] = []

  package init() {}

  package subscript(id: TensorID) -> KernelTensor {
    get { tensors[id.index] }
    set { tensors[id.index] = newValue }
  }

  package mutating func add(_ tensor: KernelTensor) -> TensorID {
    tensors.append(tensor)
    return TensorID(tensors.count - 1)
  }

  /// The tensor whose memory `id` uses.
  package func root(_ id: TensorID) -> TensorID {
    var id = id
    while case .alias(let target) = self[id].kind { id = target }
    return id
  }

  /// `root`, but one of both for the input and the output of a state that is changed in place.
  package func memory(_ id: TensorID) -> TensorID {
    let root = root(id)
    return states.lazy.compactMap { $0.shared }.first { $0.output == root }?.input ?? root
  }
}
