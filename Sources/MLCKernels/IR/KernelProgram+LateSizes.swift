import MLCCore

extension KernelProgram {
  /// A size known only as the program runs.
  package struct LateSize: Hashable, Sendable {
    package var name: String
    /// The greatest value that it can take, over the sizes that the inputs bind.
    package var bound: Dim
    /// Whether nothing but `sizeLimit` bounds it: memory for tensors of such extents is planned for so many elements,
    /// and what they take is checked as soon as it is known.
    package var isOpen: Bool

    package init(_ name: String, bound: Dim, isOpen: Bool = false) {
      (self.name, self.bound, self.isOpen) = (name, bound, isOpen)
    }
  }

  /// What sizes that nothing bounds may multiply to, where nothing else is said.
  package static let usualSizeLimit = 1 << 28

  /// Whether extents of `tensor` are open.
  package func isOpen(_ tensor: KernelTensor) -> Bool {
    let names = tensor.storedBytes.symbols
    return lateSymbols.contains { $0.isOpen && names.contains($0.name) }
  }

  /// The most bytes that a tensor of open extents may take.
  package func limitBytes(_ tensor: KernelTensor) -> Int { sizeLimit * max(1, tensor.dtype.bitWidth / 8) }

  /// Bytes that memory is planned for: with late sizes at their bounds, and no more than the limit where they are open.
  package func plannedBytes(_ tensor: KernelTensor) -> Dim {
    if isOpen(tensor) { return Dim(limitBytes(tensor)) }
    return tensor.storedBytes.substituting(
      Dictionary(uniqueKeysWithValues: lateSymbols.map { ($0.name, $0.bound) })
    )
  }
}
