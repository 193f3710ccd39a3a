import MLCPasses

extension PassCase {
  static let trimConvTaps: [PassCase] = [
    PassCase(
      TrimConvTaps(),
      "middle",
      before: """
        func @main(%x: fp32[1, 1, 2, 3]) -> ("y" = %y) {
          %w = const {val = fp32[1, 1, 3, 3](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)}
          %y = conv(x = %x, weight = %w) {dilations = [4, 3], pad = [4, 4, 3, 3]}
        }
        """,
      after: """
        func @main(%x: fp32[1, 1, 2, 3]) -> ("y" = %y) {
          %weight = const {val = fp32[1, 1, 1, 1](5.0)} : fp32[1, 1, 1, 1]
          %y = conv(x = %x, weight = %weight) {dilations = [1, 1], pad = [0, 0, 0, 0]} : fp32[1, 1, 2, 3]
        }
        """
    ),
    PassCase(
      TrimConvTaps(),
      "one-side",
      before: """
        func @main(%x: fp32[2, 1, 4, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 1, 3, 3](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)}
          %y = conv(x = %x, weight = %w) {strides = [2, 1], dilations = [5, 1], pad = [5, 5, 1, 1]}
        }
        """,
      after: """
        func @main(%x: fp32[2, 1, 4, 4]) -> ("y" = %y) {
          %weight = const {val = fp32[1, 1, 1, 3](4.0, 5.0, 6.0)} : fp32[1, 1, 1, 3]
          %y = conv(x = %x, weight = %weight) {strides = [2, 1], dilations = [1, 1], pad = [0, 0, 1, 1]} \
        : fp32[2, 1, 2, 4]
        }
        """
    ),
    // Without its first tap it would begin inside the data.
    PassCase(
      TrimConvTaps(),
      "negative",
      before: """
        func @main(%x: fp32[1, 1, 8]) -> ("y" = %y) {
          %w = const {val = fp32[1, 1, 2](1.0, 2.0)}
          %y = conv(x = %x, weight = %w) {strides = [9], dilations = [6], pad = [1, 0]}
        }
        """,
      after: nil
    ),
    PassCase(
      TrimConvTaps(),
      "all-met",
      before: """
        func @main(%x: fp32[1, 1, 4, 4]) -> ("y" = %y) {
          %w = const {val = fp32[1, 1, 3, 3](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)}
          %y = conv(x = %x, weight = %w) {dilations = [3, 3], pad = [3, 3, 3, 3]}
        }
        """,
      after: nil
    ),
    PassCase(
      TrimConvTaps(),
      "open",
      before: """
        func @main(%x: fp32[1, 1, h, 2]) -> ("y" = %y) {
          %w = const {val = fp32[1, 1, 3, 3](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)}
          %y = conv(x = %x, weight = %w) {dilations = [4, 4], pad = [4, 4, 4, 4]}
        }
        """,
      after: nil,
      sizes: ["h": 3]
    ),
    PassCase(
      TrimConvTaps(),
      "run-time-weight",
      before: """
        func @main(%x: fp32[1, 1, 2, 2], %w: fp32[1, 1, 3, 3]) -> ("y" = %y) {
          %y = conv(x = %x, weight = %w) {dilations = [4, 4], pad = [4, 4, 4, 4]}
        }
        """,
      after: nil
    ),
  ]
}
