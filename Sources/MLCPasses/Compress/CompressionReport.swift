import MLCCore

/// What became of the weights of a function.
package struct CompressionReport: Sendable {
  package struct Weight: Sendable {
    /// The weight's name, and the user's node that reads it first.
    package var name: String, node: String?
    /// Types of the operators that read it.
    package var operators: [String]
    package var type: TensorType
    /// What was done, in words; `nil` when it stays as it is.
    package var form: String?
    /// Why it stays as it is.
    package var reason: String?
    package var bytesBefore: Int, bytesAfter: Int
    package var error: WeightError?

    /// Stored bits for each element, tables and masks included.
    package var bits: Double { Double(bytesAfter) * 8 / Double(max(1, type.staticShape?.checkedProduct ?? 1)) }
  }
  /// In the order of first readers.
  package var weights: [Weight] = []

  package init() {}

  package var compressed: [Weight] { weights.filter { $0.form != nil } }
  package var bytesBefore: Int { weights.reduce(0) { $0 + $1.bytesBefore } }
  package var bytesAfter: Int { weights.reduce(0) { $0 + $1.bytesAfter } }
  /// Of all compressed weights together, relative to their norm.
  package var error: Double {
    let (difference, norm) = compressed.reduce((0.0, 0.0)) { sums, weight in
      (sums.0 + (weight.error?.squaredDifference ?? 0), sums.1 + (weight.error?.squaredNorm ?? 0))
    }
    return norm > 0 ? (difference / norm).squareRoot() : difference > 0 ? .infinity : 0
  }
}

/// How far a compressed weight is from what it was, by the Frobenius norm.
package struct WeightError: Sendable {
  package private(set) var squaredDifference = 0.0, squaredNorm = 0.0
  /// The output channel with the greatest error relative to its own norm.
  package private(set) var worstChannel = 0
  package private(set) var worst = 0.0

  /// ‖restored − original‖ / ‖original‖.
  package var relative: Double { Self.ratio(squaredDifference, squaredNorm) }

  /// Channels lie along `axis`.
  package init(_ original: Tensor, _ restored: Tensor, axis: Int) {
    let (a, b) = (original.floats, restored.floats)
    let extent = original.shape[axis]
    let inner = original.shape[(axis + 1)...].reduce(1, *)
    var difference = [Double](repeating: 0, count: extent)
    var norm = difference
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        for start in stride(from: 0, to: a.count, by: max(1, inner)) {
          let channel = start / inner % extent
          var (error, size) = (0.0, 0.0)
          for index in start..<start + inner {
            let (x, y) = (Double(a[index]), Double(b[index]))
            error += (x - y) * (x - y)
            size += x * x
          }
          difference[channel] += error
          norm[channel] += size
        }
      }
    }
    for channel in 0..<extent {
      squaredDifference += difference[channel]
      squaredNorm += norm[channel]
      let ratio = Self.ratio(difference[channel], norm[channel])
      if ratio > worst { (worst, worstChannel) = (ratio, channel) }
    }
  }

  private static func ratio(_ difference: Double, _ norm: Double) -> Double {
    norm > 0 ? (difference / norm).squareRoot() : difference > 0 ? .infinity : 0
  }
}

extension ChosenSteps {
  /// `50 % pruned, 4-bit palette, groups of 16`
  var description: String {
    var parts: [String] = []
    switch pruning {
    case .sparsity(let share)?: parts.append("\(Self.number(share * 100)) % pruned")
    case .threshold(let limit, _)?: parts.append("pruned to \(limit)")
    case nil: break
    }
    switch form {
    case .palettize(let options)?:
      parts.append(
        (options.bits.map { "\($0)-bit " } ?? "") + (options.mode == .kmeans ? "" : "\(options.mode.rawValue) ")
      )
      parts[parts.count - 1] += "palette" + Self.spelled(options.granularity)
      if options.scalesChannels { parts.append("scaled channels") }
    case .quantize(let options)?:
      parts.append(
        "\(options.dtype.rawValue)\(options.isSymmetric ? "" : " asymmetric")\(Self.spelled(options.granularity))"
      )
    case .half?: parts.append("fp16")
    case .prune?, nil: break
    }
    return parts.joined(separator: ", ")
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\((value * 100).rounded() / 100)"
  }

  private static func spelled(_ granularity: Granularity) -> String {
    switch granularity {
    case .tensor: ""
    case .channel: " per channel"
    case .groups(let size): ", groups of \(size)"
    case .block(let size): ", blocks of \(size)"
    case .blocks(let sizes): ", blocks of \(sizes.map(String.init).joined(separator: "×"))"
    }
  }
}
