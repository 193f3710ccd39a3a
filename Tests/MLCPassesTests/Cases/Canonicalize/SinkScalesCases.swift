import MLCPasses

extension PassCase {
  static let sinkScales: [PassCase] = [
    PassCase(
      SinkScales(),
      "both",
      before: """
        func @main(%x: fp32[2, 3], %y: fp32[3, 2]) -> ("z" = %z) {
          %a = const {val = fp32[](0.5)}
          %b = const {val = fp32[1](3.0)}
          %c = mul(x = %x, y = %a)
          %d = mul(x = %b, y = %y)
          %z = matmul(x = %c, y = %d)
        }
        """,
      after: """
        func @main(%x: fp32[2, 3], %y: fp32[3, 2]) -> ("z" = %z) {
          %matmul = matmul(x = %x, y = %y) : fp32[2, 2]
          %scalar = const {val = fp32[](1.5)} : fp32[]
          %z = mul(x = %matmul, y = %scalar) : fp32[2, 2]
        }
        """
    ),
    PassCase(
      SinkScales(),
      "row",
      before: """
        func @main(%x: fp32[2, 3], %y: fp32[3, 2]) -> ("z" = %z) {
          %a = const {val = fp32[3](0.5, 1.0, 2.0)}
          %c = mul(x = %x, y = %a)
          %z = matmul(x = %c, y = %y)
        }
        """,
      after: nil
    ),
  ]
}
