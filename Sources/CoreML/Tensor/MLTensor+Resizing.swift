extension MLTensor {
  /// How elements of another size come about.
  public enum ResizeMethod: Hashable, Sendable, CustomStringConvertible {
    /// Element i of n new ones is the old one at `floor(i · old / n)`.
    case nearestNeighbor
    /// A mean of the four old elements around `(i + ½) · old / n - ½`, at the edges of fewer; with `alignCorners`
    /// around `i · (old - 1) / (n - 1)`, so that corners stay what they are.
    case bilinear(alignCorners: Bool = false)

    /// The case as it is written.
    public var description: String {
      switch self {
      case .nearestNeighbor: "nearestNeighbor"
      case .bilinear(let alignCorners): "bilinear(alignCorners: \(alignCorners))"
      }
    }
  }

  /// The pictures of a tensor `[channels, height, width]` or `[batch, channels, height, width]` of floats at another
  /// size, which is positive.
  public func resized(to size: (newHeight: Int, newWidth: Int), method: ResizeMethod = .nearestNeighbor) -> MLTensor {
    precondition(rank == 3 || rank == 4, "resized(to:): a tensor with \(rank) axes, not 3 or 4")
    precondition(kind.isFloat, "resized(to:) takes floating-point tensors, not those of \(scalarType)")
    precondition(
      size.newHeight > 0 && size.newWidth > 0 && shape[rank - 1] > 0 && shape[rank - 2] > 0,
      "resized(to:): \(shape) cannot become \(size.newHeight) by \(size.newWidth)"
    )
    switch method {
    case .nearestNeighbor:
      func places(_ old: Int, _ new: Int) -> [Int] { (0..<new).map { $0 * old / new } }
      return selecting(places(shape[rank - 2], size.newHeight), rank - 2)
        .selecting(places(shape[rank - 1], size.newWidth), rank - 1)
    case .bilinear(let alignCorners):
      let result = shape.dropLast(2) + [size.newHeight, size.newWidth]
      let kernel = BilinearKernel(alignCorners: alignCorners)
      return cast(to: .float32).resized(Array(result), kernel).cast(to: kind)
    }
  }

  private func resized(_ result: [Int], _ kernel: BilinearKernel) -> MLTensor {
    MLTensor(result, .float32, .kernel(kernel), [self])
  }
}
