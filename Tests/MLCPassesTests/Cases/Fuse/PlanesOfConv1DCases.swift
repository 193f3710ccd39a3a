import MLCPasses

extension PassCase {
  static let planesOfConv1D: [PassCase] = [
    PassCase(
      PlanesOfConv1D(),
      "conv",
      before: """
        func @main(%x: fp32[1, 16, 9]) -> ("y" = %y) {
          %w = const \
        {val = fp32[16, 1, 1](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, \
        9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0)}
          %h = conv(x = %x, weight = %w) {strides = [2], dilations = [3], pad = [4, 5], groups = 16}
          %y = conv(x = %h, weight = %w) {groups = 16}
        }
        """,
      after: """
        func @main(%x: fp32[1, 16, 9]) -> ("y" = %y) {
          %weight = const \
        {val = fp32[16, 1, 1, 1](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, \
        9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0)} : fp32[16, 1, 1, 1]
          %expand_dims = expand_dims(x = %x) {axes = [2]} : fp32[1, 16, 1, 9]
          %conv = conv(x = %expand_dims, weight = %weight) \
        {strides = [1, 2], dilations = [1, 3], pad = [0, 0, 4, 5], groups = 16} : fp32[1, 16, 1, 9]
          %weight_8 = const \
        {val = fp32[16, 1, 1, 1](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, \
        9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0)} : fp32[16, 1, 1, 1]
          %conv_9 = conv(x = %conv, weight = %weight_8) {groups = 16} : fp32[1, 16, 1, 9]
          %y = squeeze(x = %conv_9) {axes = [2]} : fp32[1, 16, 9]
        }
        """
    ),
    PassCase(
      PlanesOfConv1D(),
      "transposed",
      before: """
        func @main(%x: fp32[2, 16, 5]) -> ("y" = %y, "z" = %z) {
          %w = const \
        {val = fp32[16, 1, 1](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, \
        9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0)}
          %y = conv_transpose(x = %x, weight = %w) {strides = [2], pad = [1, 0], output_padding = [1], groups = 16}
          %z = conv_transpose(x = %x, weight = %w) {strides = [2], output_shape = [2, 16, 10], groups = 16}
        }
        """,
      after: """
        func @main(%x: fp32[2, 16, 5]) -> ("y" = %y, "z" = %z) {
          %weight = const \
        {val = fp32[16, 1, 1, 1](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, \
        9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0)} : fp32[16, 1, 1, 1]
          %expand_dims = expand_dims(x = %x) {axes = [2]} : fp32[2, 16, 1, 5]
          %conv_transpose = conv_transpose(x = %expand_dims, weight = %weight) \
        {strides = [1, 2], pad = [0, 0, 1, 0], groups = 16, output_padding = [0, 1]} : fp32[2, 16, 1, 9]
          %y = squeeze(x = %conv_transpose) {axes = [2]} : fp32[2, 16, 9]
          %weight_8 = const \
        {val = fp32[16, 1, 1, 1](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, \
        9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0)} : fp32[16, 1, 1, 1]
          %expand_dims_9 = expand_dims(x = %x) {axes = [2]} : fp32[2, 16, 1, 5]
          %conv_transpose_10 = conv_transpose(x = %expand_dims_9, weight = %weight_8) \
        {strides = [1, 2], groups = 16, output_shape = [2, 16, 1, 10]} : fp32[2, 16, 1, 10]
          %z = squeeze(x = %conv_transpose_10) {axes = [2]} : fp32[2, 16, 10]
        }
        """
    ),
    // Weights that are computed, and channels that fill no block.
    PassCase(
      PlanesOfConv1D(),
      "others",
      before: """
        func @main(%x: fp32[1, 16, 4], %z: fp32[1, 1, 4], %w: fp32[16, 16, 3]) -> ("a" = %a, "b" = %b) {
          %v = const \
        {val = fp32[16, 1, 1](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, \
        9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0)}
          %a = conv(x = %x, weight = %w)
          %b = conv(x = %z, weight = %v)
        }
        """,
      after: nil
    ),
  ]
}
