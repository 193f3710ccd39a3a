import MLCCore

/// How a picture becomes the input of a model: `(pixel − mean) / deviation`, pixels 0 … 255, in the model's axes.
package struct ImageInput: Hashable, Sendable {
  /// Where the model has its channels.
  package enum Layout: String, Sendable, CaseIterable { case nchw, nhwc }
  /// Which channel comes first in the model; pictures are RGB.
  package enum Order: String, Sendable, CaseIterable { case rgb, bgr }

  package var mean: [Float], deviation: [Float]
  package var layout: Layout, order: Order

  /// `mean` and `deviation` hold one number for all channels, or one a channel in the model's order.
  package init(mean: [Float] = [0], deviation: [Float] = [1], layout: Layout = .nchw, order: Order = .rgb) {
    (self.mean, self.deviation, self.layout, self.order) = (mean, deviation, layout, order)
  }

  /// A batch of one from `uint8[height, width, channels]`: `dtype[1, channels, height, width]` or
  /// `dtype[1, height, width, channels]`. Integer types get the rounded value, saturated.
  ///
  /// Throws `image.shape` when `picture` is none, and `image.normalization` when a list is neither as long as there are
  /// channels nor of one number, or a deviation is 0 or not finite.
  package func tensor(_ picture: Tensor, as dtype: DType = .float32) throws(Diagnostic) -> Tensor {
    guard picture.dtype == .uint8, picture.rank == 3, (1...4).contains(picture.shape[2]) else {
      throw Diagnostic("image.shape", "a picture is uint8[height, width, 1 to 4 channels], not \(picture.type)")
    }
    let channels = picture.shape[2]
    let mean = try perChannel(self.mean, channels, "means")
    let deviation = try perChannel(self.deviation, channels, "deviations")
    guard deviation.allSatisfy({ $0 != 0 && $0.isFinite }) else {
      throw Diagnostic("image.normalization", "a deviation is 0 or not finite", kind: .usage)
    }
    let pixels = picture.shape[0] * picture.shape[1]
    let reverses = order == .bgr && channels >= 3
    let numbers = picture.withElements(of: UInt8.self) { source in
      [Double](unsafeUninitializedCapacity: pixels * channels) { out, count in
        for pixel in 0..<pixels {
          for channel in 0..<channels {
            let from = reverses && channel < 3 ? 2 - channel : channel
            let value = (Float(source[pixel * channels + from]) - mean[channel]) / deviation[channel]
            out[layout == .nchw ? channel * pixels + pixel : pixel * channels + channel] = Double(value)
          }
        }
        count = pixels * channels
      }
    }
    let extents = [picture.shape[0], picture.shape[1]]
    let shape = layout == .nchw ? [1, channels] + extents : [1] + extents + [channels]
    return Tensor(dtype, shape, dtype.isFloat ? numbers : numbers.map { saturated($0.rounded(), dtype) })
  }

  private func perChannel(_ values: [Float], _ channels: Int, _ what: String) throws(Diagnostic) -> [Float] {
    if values.count == channels { return values }
    guard values.count == 1 else {
      throw Diagnostic("image.normalization", "\(values.count) \(what) for \(channels) channels", kind: .usage)
    }
    return [Float](repeating: values[0], count: channels)
  }

  private func saturated(_ value: Double, _ dtype: DType) -> Double {
    guard dtype.isInteger, dtype.bitWidth <= 32 else { return value }
    let low = dtype.isSigned ? -Double(1 << (dtype.bitWidth - 1)) : 0
    let high = Double(1 << (dtype.bitWidth - (dtype.isSigned ? 1 : 0))) - 1
    return min(max(value, low), high)
  }
}
