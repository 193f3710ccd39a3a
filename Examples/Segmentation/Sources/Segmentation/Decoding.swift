import CoreML

/// What is taken from the network's answer.
struct Thresholds {
  /// The least score of an object.
  var score: Float = 0.5
  /// Of two boxes of a class that overlap by more, the one with the lower score goes.
  var overlap: Float = 0.5
  /// The boxes of highest scores are looked at; no more than these.
  var candidates = 300
}

/// The two outputs of a YOLOv8-seg network.
struct NetworkOutput {
  /// [1, 4 + classes + coefficients, anchors]: boxes by centre and size, scores, coefficients of masks.
  let rows: MLMultiArray
  /// [1, coefficients, height, width].
  let prototypes: MLMultiArray

  var anchors: Int { rows.shape[2].intValue }
  var coefficients: Int { prototypes.shape[1].intValue }
  var classes: Int { rows.shape[1].intValue - 4 - coefficients }
  var maskHeight: Int { prototypes.shape[2].intValue }
  var maskWidth: Int { prototypes.shape[3].intValue }

  /// Throws `Problem` unless there is one output of each shape, with rows without gaps.
  init(_ features: any MLFeatureProvider) throws {
    let arrays = features.featureNames.compactMap { features.featureValue(for: $0)?.multiArrayValue }
    guard let rows = arrays.first(where: { $0.shape.count == 3 && $0.shape[0] == 1 && $0.strides[2] == 1 }),
      let prototypes = arrays.first(where: {
        $0.shape.count == 4 && $0.shape[0] == 1 && $0.strides[3] == 1 && $0.strides[2] == $0.shape[3]
      })
    else { throw Problem("the model has not the two outputs of YOLOv8-seg") }
    (self.rows, self.prototypes) = (rows, prototypes)
    guard classes > 0, anchors > 0 else { throw Problem("the model's boxes and prototypes do not fit") }
  }

  /// The cells of the prototypes that `box` touches, for a picture of the size.
  func cells(under box: Box, width: Int, height: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    func range(_ low: Float, _ high: Float, _ scale: Float, _ count: Int) -> Range<Int> {
      guard low.isFinite, high.isFinite else { return 0..<0 }
      let from = Int(min(max((low * scale).rounded(.down), 0), Float(count)))
      return from..<max(from, Int(min(max((high * scale).rounded(.up), 0), Float(count))))
    }
    return (
      range(box.left, box.right, Float(maskWidth) / Float(width), maskWidth),
      range(box.top, box.bottom, Float(maskHeight) / Float(height), maskHeight)
    )
  }
}

struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Which of `count` boxes stay, best first: one that overlaps a box that stays goes.
func suppressed(count: Int, overlaps: (_ kept: Int, _ other: Int) -> Bool) -> [Int] {
  var kept: [Int] = []
  for index in 0..<count where !kept.contains(where: { overlaps($0, index) }) { kept.append(index) }
  return kept
}
