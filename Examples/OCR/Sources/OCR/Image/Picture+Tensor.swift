import CoreML

extension Picture {
  /// The picture as a model takes it: [1, 3, height, width], blue, green and red planes of `(pixel / 255 - mean) /
  /// deviation`, with a mean and a deviation for each plane.
  func tensor(mean: [Float], deviation: [Float]) -> MLShapedArray<Float> {
    let count = width * height
    return MLShapedArray(unsafeUninitializedShape: [1, 3, height, width]) { planes, _ in
      pixels.withUnsafeBufferPointer { source in
        for plane in 0..<3 {
          let scale = 1 / (255 * deviation[plane])
          let offset = -mean[plane] / deviation[plane]
          var at = 2 - plane
          for index in plane * count..<(plane + 1) * count {
            planes[index] = Float(source[at]) * scale + offset
            at += 3
          }
        }
      }
    }
  }
}
