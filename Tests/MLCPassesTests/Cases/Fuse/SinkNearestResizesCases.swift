import MLCPasses

extension PassCase {
  static let sinkNearestResizes: [PassCase] = [
    PassCase(
      SinkNearestResizes(),
      "conv",
      before: """
        func @main(%x: fp32[1, 2, 2, 3]) -> ("y" = %y) {
          %s = const {val = fp32[4](1.0, 1.0, 2.0, 2.0)}
          %w = const {val = fp32[1, 2, 1, 1](2.0, 3.0)}
          %r = resize(x = %x, scales = %s) {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"}
          %y = conv(x = %r, weight = %w)
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 2, 3]) -> ("y" = %y) {
          %w = const {val = fp32[1, 2, 1, 1](2.0, 3.0)} : fp32[1, 2, 1, 1]
          %scales = const {val = fp32[2](2.0, 2.0)} : fp32[2]
          %conv = conv(x = %x, weight = %w) : fp32[1, 1, 2, 3]
          %y = resize(x = %conv, scales = %scales) \
        {axes = [2, 3], nearest_mode = "floor", coordinate_transformation_mode = "asymmetric"} : fp32[1, 1, 4, 6]
        }
        """
    ),
    PassCase(
      SinkNearestResizes(),
      "sizes",
      before: """
        func @main(%x: fp32[2, 2, 3]) -> ("y" = %y) {
          %s = const {val = int64[3](2, 2, 7)}
          %w = const {val = fp32[3, 2, 1](2.0, 3.0, -1.0, 0.5, 1.0, 4.0)}
          %b = const {val = fp32[3](1.0, 2.0, 3.0)}
          %r = resize(x = %x, sizes = %s)
          %y = conv(x = %r, weight = %w, bias = %b)
        }
        """,
      after: """
        func @main(%x: fp32[2, 2, 3]) -> ("y" = %y) {
          %w = const {val = fp32[3, 2, 1](2.0, 3.0, -1.0, 0.5, 1.0, 4.0)} : fp32[3, 2, 1]
          %b = const {val = fp32[3](1.0, 2.0, 3.0)} : fp32[3]
          %sizes = const {val = int64[1](7)} : int64[1]
          %conv = conv(x = %x, weight = %w, bias = %b) : fp32[2, 3, 3]
          %y = resize(x = %conv, sizes = %sizes) {axes = [2]} : fp32[2, 3, 7]
        }
        """
    ),
    PassCase(
      SinkNearestResizes(),
      "function",
      before: """
        func @main(%x: fp32[1, 2, 3]) -> ("y" = %y) {
          %s = const {val = fp32[1](2.0)}
          %r = resize(x = %x, scales = %s) {axes = [-1]}
          %y = exp(x = %r)
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3]) -> ("y" = %y) {
          %scales = const {val = fp32[1](2.0)} : fp32[1]
          %exp = exp(x = %x) : fp32[1, 2, 3]
          %y = resize(x = %exp, scales = %scales) {axes = [2]} : fp32[1, 2, 6]
        }
        """
    ),
    PassCase(
      SinkNearestResizes(),
      "two-readers",
      before: """
        func @main(%x: fp32[1, 2, 3]) -> ("y" = %y, "z" = %z) {
          %s = const {val = fp32[1](2.0)}
          %r = resize(x = %x, scales = %s) {axes = [2]}
          %y = exp(x = %r)
          %z = relu(x = %r)
        }
        """,
      after: nil
    ),
    // Neighbours are mixed, channels are repeated, the window moves on by two, elements become fewer.
    PassCase(
      SinkNearestResizes(),
      "other",
      before: """
        func @main(%x: fp32[1, 2, 4]) -> ("a" = %a, "b" = %b, "c" = %c, "d" = %d) {
          %s = const {val = fp32[3](1.0, 1.0, 2.0)}
          %t = const {val = fp32[3](1.0, 2.0, 2.0)}
          %u = const {val = fp32[3](1.0, 1.0, 0.5)}
          %v = const {val = fp32[1, 2, 1](2.0, 3.0)}
          %w = const {val = fp32[1, 4, 1](2.0, 3.0, 4.0, 5.0)}
          %k = resize(x = %x, scales = %s) {mode = "linear"}
          %a = conv(x = %k, weight = %v)
          %l = resize(x = %x, scales = %t)
          %b = conv(x = %l, weight = %w)
          %m = resize(x = %x, scales = %s)
          %c = conv(x = %m, weight = %v) {strides = [2]}
          %n = resize(x = %x, scales = %u)
          %d = conv(x = %n, weight = %v)
        }
        """,
      after: nil
    ),
  ]
}
