import CoreML

/// Objects out of the network's arrays, by loops over their memory.
struct ArrayDecoder {
  let output: NetworkOutput
  let thresholds: Thresholds
  /// Of the network's picture.
  let width: Int, height: Int

  /// Best first.
  func detections() throws -> [Detection] {
    try withExtendedLifetime(output) {
      let rows = try UnsafeBufferPointer<Float>(output.rows)
      let prototypes = try UnsafeBufferPointer<Float>(output.prototypes)
      let candidates = self.candidates(rows)
      let kept = suppressed(count: candidates.count) { kept, other in
        candidates[kept].kind == candidates[other].kind
          && candidates[kept].box.overlap(candidates[other].box) > thresholds.overlap
      }
      return kept.map { index in
        let candidate = candidates[index]
        let mask = self.mask(candidate.anchor, candidate.box, rows, prototypes)
        return Detection(kind: candidate.kind, score: candidate.score, box: candidate.box, mask: mask)
      }
    }
  }

  private struct Candidate {
    var anchor: Int, kind: Int, score: Float, box: Box
  }

  /// The anchors whose best class scores enough, best first, earlier anchors before later ones of equal score.
  private func candidates(_ rows: UnsafeBufferPointer<Float>) -> [Candidate] {
    let (anchors, row) = (output.anchors, output.rows.strides[1].intValue)
    var best = [Float](repeating: thresholds.score, count: anchors)
    var kinds = [Int32](repeating: -1, count: anchors)
    for kind in 0..<output.classes {
      let start = (4 + kind) * row
      for anchor in 0..<anchors where rows[start + anchor] > best[anchor] {
        best[anchor] = rows[start + anchor]
        kinds[anchor] = Int32(kind)
      }
    }
    let order = kinds.indices.filter { kinds[$0] >= 0 }.sorted { (best[$1], $0) < (best[$0], $1) }
    return order.prefix(thresholds.candidates).map { anchor in
      let (x, y) = (rows[anchor], rows[row + anchor])
      let (width, height) = (rows[2 * row + anchor], rows[3 * row + anchor])
      let box = Box(left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2)
      return Candidate(anchor: anchor, kind: Int(kinds[anchor]), score: best[anchor], box: box)
    }
  }

  /// The sum of prototypes times the anchor's coefficients, on the cells under the box.
  private func mask(
    _ anchor: Int,
    _ box: Box,
    _ rows: UnsafeBufferPointer<Float>,
    _ prototypes: UnsafeBufferPointer<Float>
  ) -> Mask {
    let cells = output.cells(under: box, width: width, height: height)
    let plane = output.prototypes.strides[1].intValue
    let (count, first) = (cells.columns.count, (4 + output.classes) * output.rows.strides[1].intValue + anchor)
    var values = [Float](repeating: 0, count: count * cells.rows.count)
    values.withUnsafeMutableBufferPointer { values in
      for index in 0..<output.coefficients {
        let factor = rows[first + index * output.rows.strides[1].intValue]
        for (line, row) in cells.rows.enumerated() {
          let from = index * plane + row * output.maskWidth + cells.columns.lowerBound
          for column in 0..<count { values[line * count + column] += factor * prototypes[from + column] }
        }
      }
    }
    return Mask(columns: cells.columns, rows: cells.rows, values: values)
  }
}
