import MLCCore

extension KernelProgram {
  /// `kernel` in a program of its own, to ask a target about it before it stands anywhere. Compressed weights are as if
  /// they were written out: where a target cannot multiply by codes, `resolveCompressed` writes them.
  func excerpt(of kernel: Kernel) -> (kernel: Kernel, program: KernelProgram) {
    var (alone, kernel) = (KernelProgram(), kernel)
    (alone.symbols, alone.lateSymbols, alone.sizeLimit, alone.texts) = (symbols, lateSymbols, sizeLimit, texts)
    var places: [TensorID: TensorID] = [:]
    func place(_ id: TensorID) -> TensorID {
      if let known = places[id] { return known }
      var tensor = self[id]
      switch tensor.kind {
      case .alias(let target): tensor.kind = .alias(of: place(target))
      case .compressed(let codes): tensor.kind = .constant(codes.standIn)
      case .input, .output, .constant, .temporary: break
      }
      places[id] = alone.add(tensor)
      return places[id]!
    }
    for position in kernel.params.indices { kernel.params[position].tensor = place(kernel.params[position].tensor) }
    return (kernel, alone)
  }
}

extension CompressedConstant {
  /// As many elements, of no value.
  fileprivate var standIn: Tensor {
    Tensor(dtype, shape, storage: Storage(byteCount: dtype.byteCount(count)!) { _ in })!
  }
}
