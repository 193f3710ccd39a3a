extension MLTensor {
  /// Folds the elements along `axes`, all when `nil`.
  private func folded(_ kind: FoldKernel.Kind, _ axes: [Int]?, _ keepRank: Bool) -> MLTensor {
    let isLogic = kind == .all || kind == .any
    precondition(!isLogic || self.kind == .bool, "\(kind)() takes tensors of Bool, not of \(scalarType)")
    precondition(isLogic || self.kind != .bool, "\(kind)() takes numbers, not Bool")
    let axes = axes.map { self.axes($0, "\(kind)(alongAxes:)") } ?? Array(0..<rank)
    let isEmpty = axes.contains { shape[$0] == 0 } && !shape.indices.contains { !axes.contains($0) && shape[$0] == 0 }
    precondition(
      !isEmpty || (kind != .min && kind != .max),
      "\(kind)() of no elements: the shape is \(shape)"
    )
    let result = shape.indices.compactMap { axes.contains($0) ? (keepRank ? 1 : nil) : shape[$0] }
    // What is folded comes last, or lies in one piece already.
    let isOnePiece = zip(axes, axes.dropFirst()).allSatisfy { $1 == $0 + 1 }
    let source = isOnePiece ? self : transposed(permutation: shape.indices.filter { !axes.contains($0) } + axes)
    let first = isOnePiece ? axes.first ?? rank : rank - axes.count
    let kernel = FoldKernel(kind: kind, axes: first..<first + axes.count)
    return MLTensor(result, self.kind, .kernel(kernel), [source])
  }

  /// The sum of all elements. Floats are added in double precision and rounded once; integers wrap around. Of none it
  /// is 0. With `keepRank` the axes stay, one long.
  public func sum(keepRank: Bool = false) -> MLTensor { folded(.sum, nil, keepRank) }

  /// The sum of the elements along `axes`. Floats are added in double precision and rounded once; integers wrap
  /// around. Of none it is 0. With `keepRank` the axes stay, one long.
  public func sum(alongAxes axes: Int..., keepRank: Bool = false) -> MLTensor {
    folded(.sum, axes, keepRank)
  }

  /// The sum of the elements along `axes`. Floats are added in double precision and rounded once; integers wrap
  /// around. Of none it is 0. With `keepRank` the axes stay, one long.
  public func sum(alongAxes axes: [Int], keepRank: Bool = false) -> MLTensor {
    folded(.sum, axes, keepRank)
  }

  /// The mean of all elements. Floats are added in double precision; that of integers keeps their type and truncates
  /// toward zero. Of none it is NaN, or 0 of integers. With `keepRank` the axes stay, one long.
  public func mean(keepRank: Bool = false) -> MLTensor { folded(.mean, nil, keepRank) }

  /// The mean of the elements along `axes`. Floats are added in double precision; that of integers keeps their type
  /// and truncates toward zero. Of none it is NaN, or 0 of integers. With `keepRank` the axes stay, one long.
  public func mean(alongAxes axes: Int..., keepRank: Bool = false) -> MLTensor {
    folded(.mean, axes, keepRank)
  }

  /// The mean of the elements along `axes`. Floats are added in double precision; that of integers keeps their type
  /// and truncates toward zero. Of none it is NaN, or 0 of integers. With `keepRank` the axes stay, one long.
  public func mean(alongAxes axes: [Int], keepRank: Bool = false) -> MLTensor {
    folded(.mean, axes, keepRank)
  }

  /// The product of all elements. Floats are multiplied in double precision and rounded once; integers wrap around.
  /// Of none it is 1. With `keepRank` the axes stay, one long.
  public func product(keepRank: Bool = false) -> MLTensor { folded(.product, nil, keepRank) }

  /// The product of the elements along `axes`. Floats are multiplied in double precision and rounded once; integers
  /// wrap around. Of none it is 1. With `keepRank` the axes stay, one long.
  public func product(alongAxes axes: Int..., keepRank: Bool = false) -> MLTensor {
    folded(.product, axes, keepRank)
  }

  /// The product of the elements along `axes`. Floats are multiplied in double precision and rounded once; integers
  /// wrap around. Of none it is 1. With `keepRank` the axes stay, one long.
  public func product(alongAxes axes: [Int], keepRank: Bool = false) -> MLTensor {
    folded(.product, axes, keepRank)
  }

  /// The smallest of all elements; NaN where one is. There is at least one. With `keepRank` the axes stay, one long.
  public func min(keepRank: Bool = false) -> MLTensor { folded(.min, nil, keepRank) }

  /// The smallest of the elements along `axes`; NaN where one is. There is at least one. With `keepRank` the axes
  /// stay, one long.
  public func min(alongAxes axes: Int..., keepRank: Bool = false) -> MLTensor {
    folded(.min, axes, keepRank)
  }

  /// The smallest of the elements along `axes`; NaN where one is. There is at least one. With `keepRank` the axes
  /// stay, one long.
  public func min(alongAxes axes: [Int], keepRank: Bool = false) -> MLTensor {
    folded(.min, axes, keepRank)
  }

  /// The largest of all elements; NaN where one is. There is at least one. With `keepRank` the axes stay, one long.
  public func max(keepRank: Bool = false) -> MLTensor { folded(.max, nil, keepRank) }

  /// The largest of the elements along `axes`; NaN where one is. There is at least one. With `keepRank` the axes
  /// stay, one long.
  public func max(alongAxes axes: Int..., keepRank: Bool = false) -> MLTensor {
    folded(.max, axes, keepRank)
  }

  /// The largest of the elements along `axes`; NaN where one is. There is at least one. With `keepRank` the axes
  /// stay, one long.
  public func max(alongAxes axes: [Int], keepRank: Bool = false) -> MLTensor {
    folded(.max, axes, keepRank)
  }

  /// Whether all of all elements are true. The tensor is of `Bool`. Of none it is true. With `keepRank` the axes
  /// stay, one long.
  public func all(keepRank: Bool = false) -> MLTensor { folded(.all, nil, keepRank) }

  /// Whether all of the elements along `axes` are true. The tensor is of `Bool`. Of none it is true. With `keepRank`
  /// the axes stay, one long.
  public func all(alongAxes axes: Int..., keepRank: Bool = false) -> MLTensor {
    folded(.all, axes, keepRank)
  }

  /// Whether all of the elements along `axes` are true. The tensor is of `Bool`. Of none it is true. With `keepRank`
  /// the axes stay, one long.
  public func all(alongAxes axes: [Int], keepRank: Bool = false) -> MLTensor {
    folded(.all, axes, keepRank)
  }

  /// Whether one of all elements is true. The tensor is of `Bool`. Of none it is false. With `keepRank` the axes
  /// stay, one long.
  public func any(keepRank: Bool = false) -> MLTensor { folded(.any, nil, keepRank) }

  /// Whether one of the elements along `axes` is true. The tensor is of `Bool`. Of none it is false. With `keepRank`
  /// the axes stay, one long.
  public func any(alongAxes axes: Int..., keepRank: Bool = false) -> MLTensor {
    folded(.any, axes, keepRank)
  }

  /// Whether one of the elements along `axes` is true. The tensor is of `Bool`. Of none it is false. With `keepRank`
  /// the axes stay, one long.
  public func any(alongAxes axes: [Int], keepRank: Bool = false) -> MLTensor {
    folded(.any, axes, keepRank)
  }
}
