import MLCCore
import MLCGraph

/// Boxes by falling score without those that overlap better ones, by batch and class: `boxes: T[B, N, 4]`,
/// `scores: T[B, C, N]` → `y: int64[n, 3]`, batch, class and box of those kept.
///
/// Of each class the best `max_boxes: int[]` are kept, of equal scores the first in the input. A box goes where
/// it shares with one that is kept more than `iou_threshold: T[]` of the area that both cover; one without an area, or
/// with NaN among its numbers, shares nothing. Boxes whose score is NaN or not above `score_threshold: T[]?` are none.
/// The four numbers are y and x of two opposite corners, or, where `is_centred`, x and y of the centre, width and
/// height. Areas are computed in float32. Throws `non_max_suppression.shape`, `non_max_suppression.dtype` for others
/// than floats of at most 32 bits. Source: ONNX `NonMaxSuppression`; mlc extension.
package struct NonMaxSuppression: Operator {
  package var isCentred = false

  package static let schema = Schema<NonMaxSuppression>(
    "non_max_suppression",
    [
      .input("boxes", rank: 3...3), .input("scores", rank: 3...3), .input("max_boxes", rank: 0...0),
      .input("iou_threshold", rank: 0...0), .input("score_threshold", rank: 0...0, optional: true),
      .attribute("is_centred", \.isCentred),
    ]
  )
  package init() {}
  package init(isCentred: Bool) { self.isCentred = isCentred }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (boxes, scores, limit) = (inputs["boxes"], inputs["scores"], inputs["max_boxes"])
    guard [.float32, .float16, .bfloat16].contains(boxes.dtype) else { throw Diagnostic.dtype(Self.name, boxes.dtype) }
    guard limit.dtype.isInteger else { throw Diagnostic.dtype(Self.name, limit.dtype, "max_boxes") }
    try checkSameDType(boxes, scores, Self.name)
    try checkSameDType(boxes, inputs["iou_threshold"], Self.name)
    if let least = inputs[optional: "score_threshold"] { try checkSameDType(boxes, least, Self.name) }
    try check(boxes.type, scores.type)
    return [Fact(.int64, [inputs.fresh("n"), 3])]
  }

  private func check(_ boxes: TensorType, _ scores: TensorType) throws(Diagnostic) {
    let extents = [
      (boxes.shape[0], scores.shape[0]), (boxes.shape[1], scores.shape[2]), (boxes.shape[2], 4),
    ]
    guard extents.allSatisfy({ $0 == $1 || $0.constant == nil || $1.constant == nil }) else {
      throw Diagnostic("non_max_suppression.shape", "\(boxes) and \(scores) are no boxes and their scores")
    }
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let scores = inputs["scores"]
    try check(inputs["boxes"].type, scores.type)
    let (count, classes) = (scores.shape[2], scores.shape[1])
    let corners = inputs["boxes"].floats
    let ranks = scores.floats
    let (limit, threshold) = (inputs["max_boxes"].integers[0], inputs["iou_threshold"].floats[0])
    let least = inputs[optional: "score_threshold"]?.floats[0]
    var rows: [Int] = []
    for line in 0..<scores.shape[0] * classes {
      let batch = line / classes
      func score(_ box: Int) -> Float { ranks[line * count + box] }
      let candidates = (0..<count).filter { box in least.map { score(box) > $0 } ?? !score(box).isNaN }
      var kept: [(box: Int, area: Area)] = []
      for box in candidates.sorted(by: { (score($1), $0) < (score($0), $1) }) where kept.count < limit {
        let start = (batch * count + box) * 4
        let area = Area(corners[start..<start + 4], isCentred: isCentred)
        if kept.contains(where: { $0.area.share(with: area) > threshold }) { continue }
        kept.append((box, area))
      }
      for (box, _) in kept { rows += [batch, line % classes, box] }
    }
    return [Tensor(.int64, [rows.count / 3, 3], rows)]
  }

  /// A rectangle.
  private struct Area {
    let low: (y: Float, x: Float), high: (y: Float, x: Float)
    let size: Float

    init(_ numbers: ArraySlice<Float>, isCentred: Bool) {
      let n = Array(numbers)
      if isCentred {
        low = (n[1] - n[3] / 2, n[0] - n[2] / 2)
        high = (n[1] + n[3] / 2, n[0] + n[2] / 2)
      } else {
        low = (Swift.min(n[0], n[2]), Swift.min(n[1], n[3]))
        high = (Swift.max(n[0], n[2]), Swift.max(n[1], n[3]))
      }
      size = n.contains { $0.isNaN } ? .nan : (high.y - low.y) * (high.x - low.x)
    }

    /// The part of the area covered by both that lies in both; NaN where nothing does.
    func share(with other: Area) -> Float {
      let height = Swift.min(high.y, other.high.y) - Swift.max(low.y, other.low.y)
      let width = Swift.min(high.x, other.high.x) - Swift.max(low.x, other.low.x)
      let shared = height * width
      let union = size + other.size - shared
      guard height > 0, width > 0, shared > 0, size > 0, other.size > 0, union > 0 else { return .nan }
      return shared / union
    }
  }
}
