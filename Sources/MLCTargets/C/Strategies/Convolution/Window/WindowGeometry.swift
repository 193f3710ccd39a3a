import MLCCore
import MLCKernels

/// The outputs that one task computes, by extent: consecutive ones of an image and filter. Several planes are whole
/// planes, several rows whole rows.
struct WindowRegion: Hashable {
  var planes: Int, rows: Int, columns: Int
  var pixels: Int { planes * rows * columns }
}

/// Where the inputs of a region lie once they are copied into scratch as float32, padding included:
/// `[channel][plane][row phase][column phase][row][column]`.
///
/// A phase is what a strided window reads with one tap: rows and columns of one remainder by the stride. Neighbouring
/// outputs of a row read neighbouring elements, and neighbouring rows of outputs rows of `pitch` elements.
struct WindowGeometry {
  /// The window along depth, height and width.
  let spans: [Convolution.Span]
  /// Extents of the input and the output along them.
  let input: [Dim], output: [Dim]
  let region: WindowRegion

  /// A convolution without depth is one of a single plane.
  static func spatial(_ problem: ConvolutionProblem) -> (spans: [Convolution.Span], input: [Dim], output: [Dim]) {
    let (spans, input, output) = (
      problem.convolution.spans, Array(problem.x.shape[2...]), Array(problem.output.shape[2...])
    )
    if spans.count == 3 { return (spans, input, output) }
    return ([.init(kernel: 1, stride: 1, dilation: 1, low: 0, high: 0)] + spans, [1] + input, [1] + output)
  }

  init(_ problem: ConvolutionProblem, _ region: WindowRegion) {
    (spans, input, output) = WindowGeometry.spatial(problem)
    self.region = region
  }

  var rowPhases: Int { Swift.min(spans[1].stride, spans[1].reach) }
  var columnPhases: Int { Swift.min(spans[2].stride, spans[2].reach) }
  var planes: Int { (region.planes - 1) * spans[0].stride + spans[0].reach }
  /// Rows of a phase, and elements of each.
  var rows: Int { region.rows + (spans[1].reach - 1) / spans[1].stride }
  var pitch: Int { region.columns + (spans[2].reach - 1) / spans[2].stride }
  var planeStride: Int { rowPhases * columnPhases * rows * pitch }
  /// Channels are an odd number of cache lines apart, so that few of them share a set.
  var channelStride: Int { (planes * planeStride + 15) / 16 * 16 | 16 }

  /// Whether outputs that follow each other read inputs that do, from row to row and plane to plane.
  var isContiguous: Bool {
    pitch == region.columns && rows == region.rows && rowPhases * columnPhases == 1
      && (planes == region.planes || region.planes == 1)
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
