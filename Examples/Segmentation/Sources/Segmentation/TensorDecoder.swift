import CoreML

/// The same objects by `MLTensor`: scores, boxes, overlaps of all pairs and masks are operations on whole tensors, and
/// only the choice among boxes that overlap is a loop.
struct TensorDecoder {
  let output: NetworkOutput
  let thresholds: Thresholds
  /// Of the network's picture.
  let width: Int, height: Int

  /// Best first.
  func detections() async -> [Detection] {
    let rows = MLTensor(MLShapedArray<Float>(output.rows)).squeezingShape(at: 0)
    let scores = rows[4..<(4 + output.classes)]
    let (best, anchors) = scores.max(alongAxes: 0).topK(min(thresholds.candidates, output.anchors))
    let values = await best.shapedArray(of: Float.self).scalars
    let count = values.prefix { $0 > thresholds.score }.count
    guard count > 0 else { return [] }
    let chosen = anchors[0..<count]
    let picked = rows.gathering(atIndices: chosen, alongAxis: 1)
    let kinds = picked[4..<(4 + output.classes)].argmax(alongAxis: 0)
    let half = picked[2..<4] * 0.5
    let corners = MLTensor(concatenating: [picked[0..<2] - half, picked[0..<2] + half])
    let overlaps = await Self.overlaps(corners, kinds).shapedArray(of: Float.self).scalars
    let kept = suppressed(count: count) { overlaps[$0 * count + $1] > thresholds.overlap }

    let places = MLTensor(kept.map { Int32($0) })
    let coefficients = picked[(4 + output.classes)...].gathering(atIndices: places, alongAxis: 1).transposed()
    let prototypes = MLTensor(MLShapedArray<Float>(output.prototypes))
      .reshaped(to: [output.coefficients, output.maskHeight * output.maskWidth])
    let masks = await coefficients.matmul(prototypes).shapedArray(of: Float.self).scalars
    let boxes = await corners.shapedArray(of: Float.self).scalars
    let classes = await kinds.shapedArray(of: Int32.self).scalars
    return kept.enumerated().map { place, index in
      let sides = (0..<4).map { boxes[$0 * count + index] }
      let box = Box(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])
      return Detection(
        kind: Int(classes[index]),
        score: values[index],
        box: box,
        mask: mask(masks, place, box)
      )
    }
  }

  /// [boxes, boxes]: how much two boxes overlap; 0 for boxes of different classes. `corners` has the rows left, top,
  /// right and bottom.
  private static func overlaps(_ corners: MLTensor, _ kinds: MLTensor) -> MLTensor {
    let (across, down) = (corners.expandingShape(at: 1), corners.expandingShape(at: 2))
    let low = pointwiseMax(across[0..<2], down[0..<2])
    let high = pointwiseMin(across[2..<4], down[2..<4])
    let sides = pointwiseMax(high - low, 0 as Float)
    let common = (sides[0..<1] * sides[1..<2]).squeezingShape(at: 0)
    let extents = pointwiseMax(corners[2..<4] - corners[0..<2], 0 as Float)
    let areas = (extents[0..<1] * extents[1..<2]).squeezingShape(at: 0)
    let either = areas.expandingShape(at: 0) + areas.expandingShape(at: 1) - common
    let same = (kinds.expandingShape(at: 0) .== kinds.expandingShape(at: 1)).cast(to: Float.self)
    return same * common / pointwiseMax(either, Float.leastNormalMagnitude)
  }

  /// The part of mask number `place` that lies under the box.
  private func mask(_ masks: [Float], _ place: Int, _ box: Box) -> Mask {
    let cells = output.cells(under: box, width: width, height: height)
    let start = place * output.maskHeight * output.maskWidth
    let values = cells.rows.flatMap { row in
      masks[(start + row * output.maskWidth)...].dropFirst(cells.columns.lowerBound).prefix(cells.columns.count)
    }
    return Mask(columns: cells.columns, rows: cells.rows, values: values)
  }
}
