import MLCCore
import MLCKernels

/// Convolutions of bytes: each step of their sums multiplies four neighbouring channels, which a word holds, by four
/// weights (`mlc_dot4`).
extension ConvolutionProblem {
  /// Whether it sums products of integers.
  var areBytes: Bool { kernel.accumulatorType(in: program) == .int32 }
  /// Channels that one step of a sum multiplies.
  var channelsPerStep: Int { areBytes ? 4 : arePairs ? 2 : 1 }
  /// Steps for the channels of a group.
  var stepsPerGroup: Int { (channelsPerGroup + channelsPerStep - 1) / channelsPerStep }
  /// What holds the sums of a block.
  var sumType: LaneType { areBytes ? .int : .float }

  /// Filters whose lanes of the result have to be as the layout says: all lanes, where bytes may be anything.
  var writtenFilters: Int { output.dtype.bitWidth == 8 ? filterBlocks * block : filters }

  /// `nil` where it sums products of floats; otherwise that it does not.
  var bytesObstacle: Diagnostic? { areBytes ? obstacle("it multiplies bytes") : nil }

  /// The weight's values, four channels a word, low bytes first, `[filters][steps][taps]`; zeros past the last channel.
  var weightWords: [Int32] {
    guard case .constant(let values) = weight.kind else { preconditionFailure("a convolution weight is constant") }
    var words = [Int32](repeating: 0, count: filters * stepsPerGroup * taps)
    values.withElements(of: Int8.self) { bytes in
      for filter in 0..<filters {
        for channel in 0..<channelsPerGroup {
          for tap in 0..<taps {
            let byte = Int32(UInt8(bitPattern: bytes[(filter * channelsPerGroup + channel) * taps + tap]))
            words[(filter * stepsPerGroup + channel / 4) * taps + tap] |= byte << Int32(channel % 4 * 8)
          }
        }
      }
    }
    return words
  }

  /// The weight of a depthwise convolution, four columns a word, `[filters][rows of taps][⌈kernel.w / 4⌉]`; zeros past
  /// the last column.
  var rowWords: [Int32] {
    guard case .constant(let values) = weight.kind else { preconditionFailure("a convolution weight is constant") }
    let (width, groups) = (convolution.kernel.w, (convolution.kernel.w + 3) / 4)
    let rows = filters * taps / width
    var words = [Int32](repeating: 0, count: rows * groups)
    values.withElements(of: Int8.self) { bytes in
      for row in 0..<rows {
        for column in 0..<width {
          let byte = Int32(UInt8(bitPattern: bytes[row * width + column]))
          words[row * groups + column / 4] |= byte << Int32(column % 4 * 8)
        }
      }
    }
    return words
  }

  /// Words in the order of a panel as a constant.
  func packed(_ words: [Int32]) -> Tensor { Tensor(.int32, [words.count], words.map { Int($0) }) }
}
