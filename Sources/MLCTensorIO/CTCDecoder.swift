import MLCCore

/// Text from per-column class scores, as recognisers trained with connectionist temporal classification answer them.
package struct CTCDecoder: Sendable {
  /// The text of each class; class 0 is the blank and has none.
  private let symbols: [String]

  /// One line of text and the mean score of its characters, 0 for a line without any.
  package struct Line: Hashable, Sendable {
    package let text: String
    package let confidence: Double
  }

  /// `labels` are the symbols of the classes after the blank; when one class is left over, it is the space.
  ///
  /// Throws `labels.count` when `labels` are neither one nor two fewer than `classes`.
  package init(labels: [String], classes: Int) throws(Diagnostic) {
    guard labels.count == classes - 1 || labels.count == classes - 2 else {
      throw Diagnostic(
        "labels.count",
        "\(labels.count) labels for \(classes) classes: CTC needs one for each class but the blank, and may omit a "
          + "space",
        kind: .usage
      )
    }
    symbols = [""] + labels + (labels.count == classes - 2 ? [" "] : [])
  }

  /// Takes the best class of each column (the first of equal ones), merges repetitions, drops blanks.
  ///
  /// `scores: T[batch, columns, classes]` or `T[columns, classes]` → a line for each of the batch. NaN is never the
  /// best. Throws `ctc.shape`.
  package func lines(_ scores: Tensor) throws(Diagnostic) -> [Line] {
    guard scores.rank == 2 || scores.rank == 3, scores.shape.last == symbols.count, scores.dtype.isFloat else {
      throw Diagnostic("ctc.shape", "CTC decodes floats [batch, columns, \(symbols.count)], not \(scores.type)")
    }
    let columns = scores.shape[scores.rank - 2]
    let batch = scores.rank == 3 ? scores.shape[0] : 1
    let values = scores.floats
    return (0..<batch).map { row in line(values[row * columns * symbols.count..<(row + 1) * columns * symbols.count]) }
  }

  private func line(_ values: ArraySlice<Float>) -> Line {
    var (text, sum, count, previous) = ("", 0.0, 0, 0)
    for start in stride(from: values.startIndex, to: values.endIndex, by: symbols.count) {
      var best = 0
      for label in 1..<symbols.count where values[start + label] > values[start + best] || values[start + best].isNaN {
        best = label
      }
      if best != 0 && best != previous {
        text += symbols[best]
        sum += Double(values[start + best])
        count += 1
      }
      previous = best
    }
    return Line(text: text, confidence: count == 0 ? 0 : sum / Double(count))
  }
}
