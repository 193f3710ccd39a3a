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

  /// The most rows or columns of zeros that are stored around a picture where wider padding can be passed over.
  package static let widestHalo = 8

  /// Rows and columns around an input in blocks of `block` channels that are stored for this convolution: its padding,
  /// or of wide padding what is next to the input, unless every channel has a filter of its own or it is no zeros.
  package func halo(block: Int) -> Layout.Blocked {
    let most = groups == 1 && fill == 0 ? Convolution.widestHalo : .max
    var halo = Layout.Blocked(block: block)
    (halo.top, halo.bottom, halo.left, halo.right) = (
      min(top, most), min(bottom, most), min(left, most), min(right, most)
    )
    if isPadded { halo.fill = fill }
    return halo
  }

  /// Whether less is stored than its padding: taps that meet padding alone have to be passed over.
  package var isWidelyPadded: Bool {
    let own = halo(block: 1)
    return own.top < top || own.bottom < bottom || own.left < left || own.right < right
  }

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
