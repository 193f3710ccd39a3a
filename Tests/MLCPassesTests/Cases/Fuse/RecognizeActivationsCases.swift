import MLCPasses

extension PassCase {
  static let recognizeActivations: [PassCase] = [
    PassCase(
      RecognizeActivations(),
      "gelu-quotient",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %root = const {val = fp32[](1.4142135)}
          %one = const {val = fp32[](1.0)}
          %half = const {val = fp32[](0.5)}
          
          %a = real_div(x = %x, y = %root)
          %b = erf(x = %a)
          %c = add(x = %b, y = %one)
          %d = mul(x = %x, y = %c)
          %y = mul(x = %d, y = %half)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = gelu(x = %x) : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "gelu-order",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %root = const {val = fp32[](0.70710677)}
          %one = const {val = fp32[](1.0)}
          %half = const {val = fp32[](0.5)}
          
          %a = mul(x = %x, y = %root)
          %b = erf(x = %a)
          %c = add(x = %one, y = %b)
          %d = mul(x = %half, y = %x)
          %y = mul(x = %c, y = %d)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = gelu(x = %x) : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "gelu-tanh",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %three = const {val = fp32[](3.0)}
          %cubic = const {val = fp32[](0.044715)}
          %pi = const {val = fp32[](0.7978846)}
          %one = const {val = fp32[](1.0)}
          %half = const {val = fp32[](0.5)}
          
          %a = pow(x = %x, y = %three)
          %b = mul(x = %a, y = %cubic)
          %c = add(x = %x, y = %b)
          %d = mul(x = %c, y = %pi)
          %e = tanh(x = %d)
          %f = add(x = %e, y = %one)
          %g = mul(x = %f, y = %half)
          %y = mul(x = %x, y = %g)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = gelu(x = %x) {mode = "TANH_APPROXIMATION"} : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "gelu-tanh-factored",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %cubic = const {val = fp32[](0.044715)}
          %pi = const {val = fp32[](0.7978846)}
          %one = const {val = fp32[](1.0)}
          %half = const {val = fp32[](0.5)}
          
          %a = mul(x = %x, y = %x)
          %b = mul(x = %a, y = %cubic)
          %c = add(x = %b, y = %one)
          %d = mul(x = %x, y = %pi)
          %h = mul(x = %d, y = %c)
          %e = tanh(x = %h)
          %f = add(x = %e, y = %one)
          %g = mul(x = %x, y = %half)
          %y = mul(x = %g, y = %f)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = gelu(x = %x) {mode = "TANH_APPROXIMATION"} : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "gelu-sigmoid",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %k = const {val = fp32[](1.702)}
          
          %a = mul(x = %x, y = %k)
          %b = sigmoid(x = %a)
          %y = mul(x = %x, y = %b)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = gelu(x = %x) {mode = "SIGMOID_APPROXIMATION"} : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "silu",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %a = sigmoid(x = %x)
          %y = mul(x = %a, y = %x)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = silu(x = %x) : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "hard-swish-clip",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %three = const {val = fp32[](3.0)}
          %six = const {val = fp32[](6.0)}
          
          %a = add(x = %x, y = %three)
          %b = clip(x = %a) {alpha = 0.0, beta = 6.0}
          %c = mul(x = %x, y = %b)
          %y = real_div(x = %c, y = %six)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = hard_swish(x = %x) : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "hard-swish-relu6",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %three = const {val = fp32[](3.0)}
          %six = const {val = fp32[](6.0)}
          
          %a = add(x = %x, y = %three)
          %b = relu6(x = %a)
          %c = real_div(x = %b, y = %six)
          %y = mul(x = %x, y = %c)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = hard_swish(x = %x) : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "hard-swish-gate",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %a = sigmoid_hard(x = %x) {alpha = 0.16666667, beta = 0.5}
          %y = mul(x = %x, y = %a)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = hard_swish(x = %x) : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "other-root",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %two = const {val = fp32[](2.0)}
          %one = const {val = fp32[](1.0)}
          %half = const {val = fp32[](0.5)}
          
          %a = real_div(x = %x, y = %two)
          %b = erf(x = %a)
          %c = add(x = %b, y = %one)
          %d = mul(x = %x, y = %c)
          %y = mul(x = %d, y = %half)
        }
        """,
      after: nil,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "other-half",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %root = const {val = fp32[](0.70710677)}
          %one = const {val = fp32[](1.0)}
          %half = const {val = fp32[](0.50005)}
          
          %a = mul(x = %x, y = %root)
          %b = erf(x = %a)
          %c = add(x = %b, y = %one)
          %d = mul(x = %x, y = %c)
          %y = mul(x = %d, y = %half)
        }
        """,
      after: nil,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "other-shift",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %two = const {val = fp32[](2.0)}
          %six = const {val = fp32[](6.0)}
          
          %a = add(x = %x, y = %two)
          %b = relu6(x = %a)
          %c = mul(x = %x, y = %b)
          %y = real_div(x = %c, y = %six)
        }
        """,
      after: nil,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeActivations(),
      "other-argument",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %e = exp(x = %x)
          %a = sigmoid(x = %e)
          %y = mul(x = %a, y = %x)
        }
        """,
      after: nil,
      sizes: ["n": 3]
    ),
  ]
}
