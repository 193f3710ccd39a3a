extension Convolution {
  /// The window along one spatial axis.
  package struct Span: Hashable, Sendable {
    package var kernel, stride, dilation: Int
    /// Padding before and after the input.
    package var low, high: Int

    package init(kernel: Int, stride: Int, dilation: Int, low: Int, high: Int) {
      (self.kernel, self.stride, self.dilation, self.low, self.high) = (kernel, stride, dilation, low, high)
    }

    /// Inputs from the first tap to the last.
    package var reach: Int { (kernel - 1) * dilation + 1 }
  }

  /// Whether a window reaches beyond the input.
  package var isPadded: Bool { spans.contains { $0.low != 0 || $0.high != 0 } }

  /// The window along every spatial axis, the outermost first.
  package var spans: [Span] {
    let planes = depth.map {
      Span(kernel: $0.kernel, stride: $0.stride, dilation: $0.dilation, low: $0.front, high: $0.back)
    }
    return (planes.map { [$0] } ?? []) + [
      Span(kernel: kernel.h, stride: strides.h, dilation: dilations.h, low: top, high: bottom),
      Span(kernel: kernel.w, stride: strides.w, dilation: dilations.w, low: left, high: right),
    ]
  }
}
