import MLCCore
import MLCKernels

/// Convolutions of rounded factors. Of bfloat16 each step of their sums multiplies two neighbouring channels, which a
/// word holds, by two weights (`mlc_dot2`); of float16 it multiplies one, for two blocks of filters (`HalfSums`).
extension ConvolutionProblem {
  /// This with rounded factors multiplied where the device does, the input is stored so and the weight is plain.
  func rounded() -> ConvolutionProblem {
    var result = self
    result.factors = device.factors == x.dtype && compressed == nil ? x.dtype : nil
    return result
  }

  /// Whether each step of a sum multiplies two channels.
  var arePairs: Bool { factors == .bfloat16 }
  /// Whether sums begin as float16.
  var areHalves: Bool { factors == .float16 }
  /// Blocks of filters whose sums share a register.
  var blocksPerRegister: Int { areHalves ? 2 : 1 }
  /// Vectors of a block's weights that are in registers at once.
  var heldWeights: Int { areHalves ? HalfSums.stride : 1 }

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
