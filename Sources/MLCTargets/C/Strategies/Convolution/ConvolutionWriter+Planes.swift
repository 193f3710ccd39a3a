import MLCCore
import MLCKernels

/// The third dimension of blocked tensors: every plane of outputs is a picture whose window has planes of taps. Padding
/// along depth is not stored; taps that meet it are passed over.
extension ConvolutionWriter {
  private var depth: Convolution.Depth? { problem.convolution.depth }

  /// The output's plane as `ConvolutionTasks` names it; `nil` where there is one.
  var plane: String? { depth == nil ? nil : "z" }

  /// What is added to the address in `input` of what the first taps of an image's first plane read, for the plane `z`.
  func planeOffset(_ input: BlockedView) -> String {
    guard let depth else { return "" }
    return " + z * \(spell(Dim(depth.stride) * input.plane)) - \(spell(Dim(depth.front) * input.plane))"
  }

  /// The same for the taps of plane `kd`, and nothing where there is one plane of taps.
  func tapOffset(_ input: BlockedView) -> String {
    guard let depth, hasPlanesOfTaps else { return "" }
    return " + kd * \(spell(Dim(depth.dilation) * input.plane))"
  }

  var hasPlanesOfTaps: Bool { problem.depthTaps > 1 || passesPlanes }
  var passesPlanes: Bool { depth.map { $0.front + $0.back > 0 } ?? false }
  var planeParameters: String { passesPlanes ? ", int64_t kd0, int64_t kd1" : "" }
  var planeArguments: String { passesPlanes ? ", kd0, kd1" : "" }

  /// Declares the planes of taps, `kd0 ..< kd1`, that plane `z` of the outputs needs.
  var planeTaps: CCode {
    guard passesPlanes else { return [] }
    return taps("kd", problem.convolution.spans[0], extent: problem.x.depth, first: "z", count: 1)
  }

  /// `code`, the taps of plane `kd`, for every plane of taps that the output needs; `passing` goes on over that many.
  func planes(of code: CCode, passing: (String) -> String = { _ in "" }) -> CCode {
    guard hasPlanesOfTaps else { return code }
    let range = passesPlanes ? ("kd0", "kd1") : ("0", "\(problem.depthTaps)")
    return """
      \(passesPlanes ? passing("kd0") : "")
      _Pragma("clang loop unroll(disable)") for (int64_t kd = \(range.0); kd < \(range.1); kd++) {
        \(code)
      }
      \(passesPlanes ? passing("\(problem.depthTaps) - kd1") : "")
      """
  }

  /// Declares the taps along `span`, `name`0 ..< `name`1, that some of `count` outputs from `first` on need.
  func taps(_ name: String, _ span: Convolution.Span, extent: Dim, first: String, count: Int) -> CCode {
    let (gap, step) = (span.dilation, span.stride)
    let begin = "\(span.low + gap - 1) - (\(first) + \(count - 1)) * \(step)"
    let end = "\(spell(extent)) + \(span.low + gap - 1) - \(first) * \(step)"
    return """
      const int64_t \(name)0 = mlc_min_i64(\(span.kernel), mlc_max_i64(0, \(begin)) / \(gap));
      const int64_t \(name)1 = mlc_max_i64(\(name)0, mlc_min_i64(\(span.kernel), (\(end)) / \(gap)));
      """
  }
}
