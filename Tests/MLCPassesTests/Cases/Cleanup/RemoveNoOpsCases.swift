import MLCPasses

extension PassCase {
  static let removeNoOps: [PassCase] = [
    PassCase(
      RemoveNoOps(),
      "rearrangements",
      before: """
        func @main(%x: fp32[2, h]) -> ("y" = %y) {
          %zeros = const {val = int32[4](0, 0, 0, 0)}
          %ones = const {val = int32[2](1, 1)}
          %two = const {val = int64[2](2, -1)}
          %d = identity(x = %x)
          %e = cast(x = %d) {dtype = fp32}
          %f = transpose(x = %e) {perm = [0, -1]}
          %g = pad(x = %f, pad = %zeros)
          %h = tile(x = %g, reps = %ones)
          %i = concat(values = (%h)) {axis = 0}
          %j = split(x = %i) {num_splits = 1}
          %k = clip(x = %j)
          %l = reshape(x = %k, shape = %two)
          %m = slice_by_index(x = %l, begin = %two, end = %two) {begin_mask = [true, true], end_mask = [true, true]}
          %y = abs(x = %m)
        }
        """,
      after: """
        func @main(%x: fp32[2, h]) -> ("y" = %y) {
          %y = abs(x = %x) : fp32[2, h]
        }
        """,
      sizes: ["h": 3]
    ),
    PassCase(
      RemoveNoOps(),
      "arithmetic",
      before: """
        func @main(%x: fp32[4]) -> ("y" = %y) {
          %plus = const {val = fp32[](0.0)}
          %minus = const {val = fp32[](-0.0)}
          %one = const {val = fp32[1](1.0)}
          %a = add(x = %x, y = %minus)
          %b = sub(x = %a, y = %plus)
          %c = mul(x = %one, y = %b)
          %d = real_div(x = %c, y = %one)
          %e = pow(x = %d, y = %one)
          %y = inverse(x = %e) {epsilon = 0.0}
        }
        """,
      after: """
        func @main(%x: fp32[4]) -> ("y" = %y) {
          %y = inverse(x = %x) : fp32[4]
        }
        """
    ),
    PassCase(
      RemoveNoOps(),
      "signed-zeros",
      before: """
        func @main(%x: fp32[4]) -> ("y" = %y, "z" = %z) {
          %plus = const {val = fp32[](0.0)}
          %minus = const {val = fp32[](-0.0)}
          %a = add(x = %x, y = %plus)
          %y = inverse(x = %a) {epsilon = 0.0}
          %b = sub(x = %x, y = %minus)
          %z = inverse(x = %b) {epsilon = 0.0}
        }
        """,
      after: nil
    ),
    PassCase(
      RemoveNoOps(),
      "integers",
      before: """
        func @main(%x: int32[3]) -> ("y" = %y) {
          %zero = const {val = int32[](0)}
          %one = const {val = int32[](1)}
          %a = add(x = %zero, y = %x)
          %b = sub(x = %a, y = %zero)
          %c = mul(x = %b, y = %one)
          %d = real_div(x = %c, y = %one)
          %y = neg(x = %d)
        }
        """,
      after: """
        func @main(%x: int32[3]) -> ("y" = %y) {
          %y = neg(x = %x) : int32[3]
        }
        """
    ),
    PassCase(
      RemoveNoOps(),
      "larger-results",
      before: """
        func @main(%x: fp32[1]) -> ("y" = %y) {
          %one = const {val = fp32[2](1.0, 1.0)}
          %s = const {val = int64[1](3)}
          %y = mul(x = %x, y = %one)
        }
        """,
      after: nil
    ),
  ]
}
