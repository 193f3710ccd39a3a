import MLCPasses

extension PassCase {
  static let fuseLayerNormAffine: [PassCase] = [
    PassCase(
      FuseLayerNormAffine(),
      "both",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %g = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)}
          %b = const {val = fp32[1, 4](0.0, 1.0, 0.0, 1.0)}
          %a = layer_norm(x = %x) {axes = [1]}
          %p = mul(x = %a, y = %g)
          %y = add(x = %b, y = %p)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %gamma = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)} : fp32[4]
          %beta = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)} : fp32[4]
          %y = layer_norm(x = %x, gamma = %gamma, beta = %beta) {axes = [1]} : fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      FuseLayerNormAffine(),
      "beta-first",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %g = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)}
          %b = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)}
          %a = layer_norm(x = %x) {axes = [1]}
          %p = add(x = %a, y = %b)
          %y = mul(x = %p, y = %g)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %g = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)} : fp32[4]
          %beta = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)} : fp32[4]
          %p = layer_norm(x = %x, beta = %beta) {axes = [1]} : fp32[n, 4]
          %y = mul(x = %p, y = %g) : fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
  ]
}
