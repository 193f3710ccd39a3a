import MLCPasses

extension PassCase {
  static let recognizeHardSigmoid: [PassCase] = [
    PassCase(
      RecognizeHardSigmoid(),
      "relu6",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %three = const {val = fp32[](3.0)}
          %six = const {val = fp32[](6.0)}
          
          %a = add(x = %x, y = %three)
          %b = relu6(x = %a)
          %y = real_div(x = %b, y = %six)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = sigmoid_hard(x = %x) {alpha = 0.16666666666666666} : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeHardSigmoid(),
      "other-shift",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %two = const {val = fp32[](2.0)}
          %six = const {val = fp32[](6.0)}
          
          %a = add(x = %x, y = %two)
          %b = relu6(x = %a)
          %y = real_div(x = %b, y = %six)
        }
        """,
      after: nil,
      sizes: ["n": 3]
    ),
  ]
}
