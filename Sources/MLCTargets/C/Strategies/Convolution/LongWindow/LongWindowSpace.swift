import MLCCore
import MLCKernels

/// The sizes of a convolution as a product of matrices: filters by columns, the taps of the outputs of all images, over
/// the steps of a window.
struct LongWindowSpace {
  let problem: ConvolutionProblem
  /// Three dimensions, of which missing ones have one element.
  let space: WindowSpace
  let images: Int
  /// Outputs of an image and filter along depth, height and width.
  let extents: [Int]

  /// Throws where images or outputs are not known, or nothing is computed.
  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    (self.problem, space) = (problem, WindowSpace(problem, mayMerge: false))
    guard let images = problem.batch.constant, images > 0 else { throw problem.obstacle("its images are not known") }
    self.images = images
    extents = space.output.compactMap(\.constant)
    guard extents.count == 3, extents.allSatisfy({ (1...4096).contains($0) }), taps <= 4096 else {
      throw problem.obstacle("its outputs are many, or not known")
    }
  }

  var taps: Int { extents.reduce(1, *) }
  var columns: Int { images * taps }
  var channelsPerGroup: Dim { problem.weight.shape[1] }
  /// Elements of the window in one channel.
  var window: Int { space.spans.reduce(1) { $0 * $1.kernel } }
  /// Products of one output.
  var steps: Int { window * (channelsPerGroup.constant ?? 64) }

  /// Whether the window is the whole input, so that images lie in memory as filters do.
  var isContiguous: Bool {
    problem.x.dtype == .float32
      && zip(space.spans, space.input).allSatisfy { span, input in
        input == Dim(span.kernel) && span.low == 0 && span.high == 0 && (span.dilation == 1 || span.kernel == 1)
      }
  }

  /// Elements of the window that are gathered at a time: a row, or any.
  var run: Int { isContiguous ? 1 : space.spans[2].kernel }

  /// Operations of a vector that is gathered.
  var copying: Double { [1: 2.0, 2: 4.0][space.spans[2].dilation] ?? 2.0 * Double(problem.device.lanes) }
}
