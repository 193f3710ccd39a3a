import MLCCore
import MLCKernels

/// Convolutions of bfloat16: each step of their sums multiplies two neighbouring channels, which a word holds, by two
/// weights (`mlc_dot2`).
extension ConvolutionProblem {
  /// This with pairs multiplied where the device rounds factors, the input is stored so and the weight is plain.
  func inPairs() -> ConvolutionProblem {
    var result = self
    result.arePairs = device.roundsFactors == true && x.dtype == .bfloat16 && compressed == nil
    return result
  }

  /// The weight's values rounded to bfloat16, two channels a word, the first in its low half,
  /// `[filters][steps][taps]`; zeros past the last channel.
  var weightPairs: [Int32] {
    guard case .constant(let values) = weight.kind else { preconditionFailure("a convolution weight is constant") }
    var words = [Int32](repeating: 0, count: filters * stepsPerGroup * taps)
    values.converted(to: .bfloat16).withElements(of: UInt16.self) { halves in
      for filter in 0..<filters {
        for channel in 0..<channelsPerGroup {
          for tap in 0..<taps {
            let half = Int32(halves[(filter * channelsPerGroup + channel) * taps + tap])
            words[(filter * stepsPerGroup + channel / 2) * taps + tap] |= half << Int32(channel % 2 * 16)
          }
        }
      }
    }
    return words
  }
}
