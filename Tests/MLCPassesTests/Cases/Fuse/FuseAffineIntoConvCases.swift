import MLCPasses

extension PassCase {
  static let fuseAffineIntoConv: [PassCase] = [
    PassCase(
      FuseAffineIntoConv(),
      "grouped",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %s = const {val = fp32[1, 2, 1, 1](0.5, 2.0)}
          %t = const {val = fp32[1, 2, 1, 1](1.0, -3.0)}
          %w = const {val = fp32[2, 1, 2, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %n = mul(x = %x, y = %s)
          %m = add(x = %n, y = %t)
          %y = conv(x = %m, weight = %w) {groups = 2}
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %s = const {val = fp32[1, 2, 1, 1](0.5, 2.0)} : fp32[1, 2, 1, 1]
          %n = mul(x = %x, y = %s) : fp32[1, 2, 3, 3]
          %weight = const {val = fp32[2, 1, 2, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)} : fp32[2, 1, 2, 2]
          %bias = const {val = fp32[2](3.25, 4.125)} : fp32[2]
          %y = conv(x = %n, weight = %weight, bias = %bias) {groups = 2} : fp32[1, 2, 2, 2]
        }
        """
    ),
    PassCase(
      FuseAffineIntoConv(),
      "padded",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %s = const {val = fp32[1, 2, 1, 1](0.5, 2.0)}
          %t = const {val = fp32[1, 2, 1, 1](1.0, -3.0)}
          %w = const {val = fp32[2, 1, 2, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %n = mul(x = %x, y = %s)
          %m = add(x = %n, y = %t)
          %y = conv(x = %m, weight = %w) {groups = 2, pad = [1, 1, 1, 1]}
        }
        """,
      after: nil
    ),
    PassCase(
      FuseAffineIntoConv(),
      "scale-of-padded",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %s = const {val = fp32[1, 2, 1, 1](0.5, 2.0)}
          %b = const {val = fp32[1](0.5)}
          %w = const {val = fp32[1, 2, 2, 2](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0)}
          %n = mul(x = %x, y = %s)
          %y = conv(x = %n, weight = %w, bias = %b) {pad = [1, 1, 1, 1]}
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %weight = const {val = fp32[1, 2, 2, 2](0.25, -0.125, 0.5, 1.0, 0.25, -3.0, 2.0, -2.0)} : fp32[1, 2, 2, 2]
          %bias = const {val = fp32[1](0.5)} : fp32[1]
          %y = conv(x = %x, weight = %weight, bias = %bias) {pad = [1, 1, 1, 1]} : fp32[1, 1, 4, 4]
        }
        """
    ),
  ]
}
