import CoreML

/// Where lines of text are in a picture.
struct LineFinder {
  let model: TextDetector
  /// What a pixel needs to belong to text, and the pixels of a line on average.
  var pixelThreshold: Float = 0.3, lineThreshold: Float = 0.6
  /// The detector marks the middle of a line: its area times this, over its perimeter, is what the box is widened by.
  var unclipRatio: Float = 1.6
  /// The longest side that the detector sees; larger pictures are made smaller.
  var longestSide = 960

  func boxes(in page: Picture) throws -> [RotatedBox] {
    let scale = min(1, Float(longestSide) / Float(max(page.width, page.height)))
    let (width, height) = (Self.fitting(page.width, scale), Self.fitting(page.height, scale))
    let input = page.resized(width: width, height: height).tensor(
      mean: [0.485, 0.456, 0.406],
      deviation: [0.229, 0.224, 0.225]
    )
    let probabilities = try model.prediction(x: input).sigmoid_0_tmp_0ShapedArray.scalars
    let regions = ProbabilityMap(values: probabilities, width: width, height: height).regions(above: pixelThreshold)
    return regions.compactMap { region in
      guard region.meanProbability >= lineThreshold, let box = RotatedBox(around: region.hull),
        min(box.width, box.height) >= 3
      else { return nil }
      let distance = box.width * box.height * unclipRatio / (2 * (box.width + box.height))
      return box.grown(by: distance)
        .scaled(x: Float(page.width) / Float(width), y: Float(page.height) / Float(height))
    }
  }

  /// The model halves the picture five times.
  private static func fitting(_ side: Int, _ scale: Float) -> Int {
    max(32, Int((Float(side) * scale / 32).rounded()) * 32)
  }
}
