import MLCCore

extension Tensor {
  /// The elements of `self` in order, again and again, as a tensor of `shape`; zeros where there are none.
  package func repeated(_ shape: [Int]) -> Tensor {
    let indices = (0..<shape.reduce(1, *)).map { $0 % max(count, 1) }
    if dtype == .string { return Tensor(shape, strings: indices.map { count == 0 ? "" : strings[$0] }) }
    if dtype.isFloat {
      let numbers = count == 0 ? [0] : doubles
      return Tensor(dtype, shape, indices.map { numbers[$0] })
    }
    let numbers = count == 0 ? [0] : integers
    return Tensor(dtype, shape, indices.map { numbers[$0] })
  }
}
