import MLCCore

extension KernelProgram {
  /// Stores what convolutions in blocks read in the type that the device rounds factors to: what they compute is the
  /// same as though they rounded it, and half the bytes move. Whatever else reads such a tensor reads the rounded
  /// numbers.
  package mutating func roundFactors(for target: any Target) {
    guard let type = target.device.factors else { return }
    var factors: Set<TensorID> = []
    KernelProgram.forEachKernel(steps) { kernel in
      guard case .convolution(let convolution) = kernel.body else { return }
      let (x, weight) = (kernel.params[convolution.x].tensor, kernel.params[convolution.weight].tensor)
      if isRoundable(self[x]), case .constant = self[weight].kind { factors.insert(x) }
    }
    for id in factors { self[id].dtype = type }
  }

  /// A blocked tensor in the arena is used by convolutions and loop nests alone, which read and write any float.
  private func isRoundable(_ tensor: KernelTensor) -> Bool {
    guard case .temporary = tensor.kind, case .blocked = tensor.layout else { return false }
    return tensor.dtype == .float32
  }
}
