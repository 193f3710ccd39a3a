import MLCCore
import MLCKernels

/// The loops that indices range over: what is known of their extents simplifies divisions and remainders away.
package struct IndexSpace: Sendable {
  /// Extents by axis number; an axis that is not listed is only known not to be negative.
  package var extents: [Int: Dim]
  package init(_ extents: [Int: Dim] = [:]) { self.extents = extents }

  package func linear(_ index: Index) -> LinearIndex {
    switch index {
    case .dim(let d): LinearIndex([:], d)
    case .axis(let id): extents[id] == 1 ? LinearIndex() : LinearIndex([.axis(id): 1])
    case .sum(let a, let b): recombined(linear(a) + linear(b))
    case .product(let a, let d): linear(a) * d
    case .floorDiv(let a, let d): floorDiv(linear(a), d)
    case .mod(let a, let d): mod(linear(a), d)
    case .value(let s): LinearIndex([.value(s): 1])
    }
  }

  /// Where an element of `tensor` lies, in elements from its start. Indices that data decides are clamped.
  package func address(_ indices: [Index], in tensor: KernelTensor) -> LinearIndex {
    precondition(indices.count == tensor.shape.count, "\(indices.count) indices for rank \(tensor.shape.count)")
    let parts = zip(indices, tensor.shape).map { index, extent in
      let part = linear(index)
      return part.hasValue ? LinearIndex([.clamped(part, extent): 1]) : part
    }
    switch tensor.layout {
    case .plain:
      var sum = LinearIndex()
      var stride: Dim = 1
      for (part, extent) in zip(parts, tensor.shape).reversed() {
        sum = sum + part * stride
        stride = stride * extent
      }
      return recombined(sum)
    case .blocked(let b): return address(blocked: parts, tensor.shape, b)
    }
  }

  private func address(blocked parts: [LinearIndex], _ shape: [Dim], _ b: Layout.Blocked) -> LinearIndex {
    let c = Dim(b.block)
    let (row, column) = (shape.count - 2, shape.count - 1)
    let width = (shape[column] + Dim(b.left + b.right)) * c
    let plane = (shape[row] + Dim(b.top + b.bottom)) * width
    let volume = shape[2..<row].reduce(plane, *)
    let image = shape[1].ceilDiv(c) * volume
    let channel = floorDiv(parts[1], c) * volume + mod(parts[1], c)
    let planes = parts[2..<row].reduce(LinearIndex()) { $0 + $1 * plane }
    let corner = LinearIndex([:], width * Dim(b.top) + c * Dim(b.left))
    return recombined(parts[0] * image + channel + planes + parts[row] * width + parts[column] * c + corner)
  }

  /// The greatest value, when numbers decide it and no part can be negative.
  package func upperBound(_ x: LinearIndex) -> Int? {
    guard let rest = x.rest.constant, rest >= 0 else { return nil }
    var sum = rest
    for (atom, coefficient) in x.terms {
      guard let factor = coefficient.constant, factor >= 0, let bound = upperBound(atom) else { return nil }
      let (product, overflow) = factor.multipliedReportingOverflow(by: bound)
      guard !overflow, product < 1 << 60 else { return nil }
      sum += product
    }
    return sum < 1 << 60 ? sum : nil
  }

  private func upperBound(_ atom: LinearIndex.Atom) -> Int? {
    switch atom {
    case .axis(let id):
      guard let extent = extents[id]?.constant else { return nil }
      return Swift.max(extent - 1, 0)
    case .floorDiv(let x, let d):
      guard let bound = upperBound(x), let d = d.constant, d > 0 else { return nil }
      return bound / d
    case .mod(_, let d), .clamped(_, let d): return d.constant.flatMap { $0 > 0 ? $0 - 1 : nil }
    case .value: return nil
    }
  }

  /// Whether `0 <= x < limit` always.
  package func isWithin(_ x: LinearIndex, _ limit: Dim) -> Bool {
    if x.terms.isEmpty, x.rest == 0 { return limit.constant.map { $0 > 0 } ?? false }
    if let bound = upperBound(x), let limit = limit.constant { return bound < limit }
    guard x.rest == 0, x.terms.count == 1, let (atom, factor) = x.terms.first, factor == 1 else { return false }
    switch atom {
    case .axis(let id): return extents[id] == limit
    case .mod(_, let d), .clamped(_, let d): return d == limit
    case .floorDiv, .value: return false
    }
  }

  /// Whether no part of `x` can be negative.
  package func isNonNegative(_ x: LinearIndex) -> Bool {
    x.rest.isNonNegative
      && x.terms.allSatisfy { atom, factor in
        guard factor.isNonNegative else { return false }
        switch atom {
        case .axis, .mod, .clamped: return true
        case .floorDiv(let y, _): return isNonNegative(y)
        case .value: return false
        }
      }
  }
}

extension Dim {
  /// Whether every coefficient is at least zero: sizes are, so then the dim is.
  var isNonNegative: Bool { terms.allSatisfy { $0.coefficient >= 0 } }
}
