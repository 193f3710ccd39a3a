import MLCCore
import MLCKernels

/// The outputs that one task computes, by extent: consecutive ones of an image and filter. Several planes are whole
/// planes, several rows whole rows.
struct WindowRegion: Hashable {
  var planes: Int, rows: Int, columns: Int
  var pixels: Int { planes * rows * columns }
}

/// The spatial dimensions of a convolution as three: depth, height and width.
struct WindowSpace {
  /// The window along them, and the extents of the input and the output.
  private(set) var spans: [Convolution.Span]
  private(set) var input: [Dim], output: [Dim]

  private static let point = Convolution.Span(kernel: 1, stride: 1, dilation: 1, low: 0, high: 0)

  /// Dimensions that are missing have one element. Where `mayMerge`, neighbouring ones in which an output reads what
  /// lies at its own position are one, the inner one.
  init(_ problem: ConvolutionProblem, mayMerge: Bool) {
    (spans, input, output) = (
      problem.convolution.spans, Array(problem.x.shape[2...]), Array(problem.output.shape[2...])
    )
    while spans.count < 3 {
      spans.insert(WindowSpace.point, at: 0)
      input.insert(1, at: 0)
      output.insert(1, at: 0)
    }
    guard mayMerge else { return }
    for outer in 0..<2 where isPoint(outer) && isPoint(outer + 1) {
      input[outer + 1] = input[outer] * input[outer + 1]
      output[outer + 1] = output[outer] * output[outer + 1]
      (input[outer], output[outer]) = (1, 1)
    }
  }

  private func isPoint(_ axis: Int) -> Bool {
    let span = spans[axis]
    return span.kernel == 1 && span.stride == 1 && span.low == 0 && span.high == 0
  }
}

/// Where the inputs of a region lie once they are copied into scratch as float32, padding included:
/// `[channel][plane][row phase][column phase][row][column]`.
///
/// A phase is what a strided window reads with one tap: rows and columns of one remainder by the stride. Neighbouring
/// outputs of a row read neighbouring elements, and neighbouring rows of outputs rows of `pitch` elements.
struct WindowGeometry {
  let space: WindowSpace
  let region: WindowRegion

  init(_ space: WindowSpace, _ region: WindowRegion) { (self.space, self.region) = (space, region) }

  var spans: [Convolution.Span] { space.spans }
  var input: [Dim] { space.input }
  var output: [Dim] { space.output }

  var rowPhases: Int { Swift.min(spans[1].stride, spans[1].reach) }
  var columnPhases: Int { Swift.min(spans[2].stride, spans[2].reach) }
  var planes: Int { (region.planes - 1) * spans[0].stride + spans[0].reach }
  /// Rows of a phase, and elements of each.
  var rows: Int { region.rows + (spans[1].reach - 1) / spans[1].stride }
  var pitch: Int { region.columns + (spans[2].reach - 1) / spans[2].stride }
  /// Rows of a plane, those of all phases.
  var planeRows: Int { rowPhases * columnPhases * rows }
  var planeStride: Int { planeRows * pitch }
  /// Channels are an odd number of cache lines apart, so that few of them share a set.
  var channelStride: Int { (planes * planeStride + 15) / 16 * 16 | 16 }

  /// Whether outputs that follow each other read inputs that do, from row to row and plane to plane.
  var isContiguous: Bool {
    region.planes * region.rows == 1
      || pitch == region.columns && rows == region.rows && rowPhases * columnPhases == 1
        && (spans[0].stride == 1 || region.planes == 1)
  }

  /// How far each tap reads from where the first one does, in the weight's order.
  var taps: [Int] {
    (0..<spans[0].kernel).flatMap { d in
      (0..<spans[1].kernel).flatMap { h in (0..<spans[2].kernel).map { tap(d, h, $0) } }
    }
  }

  private func tap(_ d: Int, _ h: Int, _ w: Int) -> Int {
    let row = (h * spans[1].dilation).quotientAndRemainder(dividingBy: spans[1].stride)
    let column = (w * spans[2].dilation).quotientAndRemainder(dividingBy: spans[2].stride)
    let phase = (row.remainder * columnPhases + column.remainder) * rows * pitch
    return d * spans[0].dilation * planeStride + phase + row.quotient * pitch + column.quotient
  }

  /// C for what the first tap reads for output `z`, `y`, `x` of the region.
  func place(_ z: String, _ y: String, _ x: String) -> String {
    "\(z) * \(spans[0].stride * planeStride) + \(y) * \(pitch) + \(x)"
  }
}
