import MLCPasses

extension PassCase {
  static let mergeConstantArithmetic: [PassCase] = [
    PassCase(
      MergeConstantArithmetic(),
      "sums",
      before: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %a = const {val = fp32[3](1.0, 2.0, 3.0)}
          %b = const {val = fp32[](4.0)}
          %c = add(x = %x, y = %a)
          %y = sub(x = %c, y = %b)
        }
        """,
      after: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %a = const {val = fp32[3](1.0, 2.0, 3.0)} : fp32[3]
          %c = add(x = %x, y = %a) : fp32[2, 3]
          %const = const {val = fp32[](-4.0)} : fp32[]
          %y = add(x = %c, y = %const) : fp32[2, 3]
        }
        """
    ),
    PassCase(
      MergeConstantArithmetic(),
      "products",
      before: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %a = const {val = fp32[3](1.0, 2.0, 4.0)}
          %b = const {val = fp32[](4.0)}
          %c = real_div(x = %x, y = %a)
          %y = mul(x = %b, y = %c)
        }
        """,
      after: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %b = const {val = fp32[](4.0)} : fp32[]
          %const = const {val = fp32[3](1.0, 0.5, 0.25)} : fp32[3]
          %mul_7 = mul(x = %const, y = %b) : fp32[3]
          %y = mul(x = %x, y = %mul_7) : fp32[2, 3]
        }
        """
    ),
    PassCase(
      MergeConstantArithmetic(),
      "a quotient that is rounded stays",
      before: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y, "z" = %z) {
          %a = const {val = fp32[](4.0)}
          %b = real_div(x = %x, y = %a)
          %y = round(x = %b)
          %z = real_div(x = %x, y = %a)
        }
        """,
      after: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y, "z" = %z) {
          %a = const {val = fp32[](4.0)} : fp32[]
          %b = real_div(x = %x, y = %a) : fp32[2, 3]
          %y = round(x = %b) : fp32[2, 3]
          %const = const {val = fp32[](0.25)} : fp32[]
          %z = mul(x = %x, y = %const) : fp32[2, 3]
        }
        """
    ),
    PassCase(
      MergeConstantArithmetic(),
      "a quotient that is a scale of what is rounded stays",
      before: """
        func @main(%x: fp32[2, 3], %w: fp32[]) -> ("y" = %y) {
          %a = const {val = fp32[](4.0)}
          %b = real_div(x = %w, y = %a)
          %c = real_div(x = %x, y = %b)
          %y = round(x = %c)
        }
        """,
      after: nil
    ),
    PassCase(
      MergeConstantArithmetic(),
      "merge",
      before: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %a = const {val = fp32[3](1.0, 2.0, 3.0)}
          %b = const {val = fp32[](4.0)}
          %c = add(x = %x, y = %a)
          %y = add(x = %b, y = %c)
        }
        """,
      after: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %a = const {val = fp32[3](1.0, 2.0, 3.0)} : fp32[3]
          %b = const {val = fp32[](4.0)} : fp32[]
          %add = add(x = %a, y = %b) : fp32[3]
          %y = add(x = %x, y = %add) : fp32[2, 3]
        }
        """
    ),
    PassCase(
      MergeConstantArithmetic(),
      "zero",
      before: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %a = const {val = fp32[3](0.0, 0.0, 0.0)}
          %b = add(x = %x, y = %a)
          %y = abs(x = %b)
        }
        """,
      after: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %y = abs(x = %x) : fp32[2, 3]
        }
        """
    ),
    PassCase(
      MergeConstantArithmetic(),
      "integers",
      before: """
        func @main(%x: int32[2]) -> ("y" = %y) {
          %a = const {val = int32[](4)}
          %b = const {val = int32[](0)}
          %c = real_div(x = %x, y = %a)
          %y = add(x = %c, y = %b)
        }
        """,
      after: nil
    ),
    PassCase(
      MergeConstantArithmetic(),
      "denormal-inverse",
      before: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %a = const {val = fp32[](3e+38)}
          %y = real_div(x = %x, y = %a)
        }
        """,
      after: nil
    ),
  ]
}
