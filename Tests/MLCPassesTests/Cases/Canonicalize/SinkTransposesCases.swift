import MLCPasses

extension PassCase {
  static let sinkTransposes: [PassCase] = [
    PassCase(
      SinkTransposes(),
      "chain",
      before: """
        func @main(%x: fp32[1, 2, 3, 4], %z: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %c = const {val = fp32[2](1.0, -2.0)}
          %p = const {val = int32[8](0, 0, 1, 2, 0, 1, 0, 0)}
          %a = transpose(x = %x) {perm = [0, 2, 3, 1]}
          %b = relu(x = %a)
          %d = add(x = %b, y = %c)
          %e = pad(x = %d, pad = %p)
          %f = transpose(x = %z) {perm = [0, 2, 3, 1]}
          %g = pad(x = %f, pad = %p)
          %h = concat(values = (%e, %g)) {axis = 3}
          %y = reduce_max(x = %h) {axes = [1], keep_dims = true}
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 4], %z: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %relu = relu(x = %x) : fp32[1, 2, 3, 4]
          %const = const {val = fp32[1, 1, 1, 2](1.0, -2.0)} : fp32[1, 1, 1, 2]
          %transpose_15 = transpose(x = %const) {perm = [0, 3, 1, 2]} : fp32[1, 2, 1, 1]
          %add = add(x = %relu, y = %transpose_15) : fp32[1, 2, 3, 4]
          %pad = const {val = int32[8](0, 0, 0, 0, 1, 2, 0, 1)} : int32[8]
          %pad_19 = pad(x = %add, pad = %pad) : fp32[1, 2, 6, 5]
          %pad_21 = const {val = int32[8](0, 0, 0, 0, 1, 2, 0, 1)} : int32[8]
          %pad_22 = pad(x = %z, pad = %pad_21) : fp32[1, 2, 6, 5]
          %concat = concat(values = (%pad_19, %pad_22)) {axis = 1} : fp32[1, 4, 6, 5]
          %reduce_max = reduce_max(x = %concat) {axes = [2], keep_dims = true} : fp32[1, 4, 1, 5]
          %y = transpose(x = %reduce_max) {perm = [0, 2, 3, 1]} : fp32[1, 1, 5, 4]
        }
        """
    ),
    PassCase(
      SinkTransposes(),
      "two-readers",
      before: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y, "z" = %z) {
          %a = transpose(x = %x) {perm = [1, 0]}
          %y = relu(x = %a)
          %z = exp(x = %a)
        }
        """,
      after: nil
    ),
    PassCase(
      SinkTransposes(),
      "sum-in-order",
      before: """
        func @main(%x: fp32[2, 3, 4, 5]) -> ("y" = %y) {
          %a = transpose(x = %x) {perm = [0, 2, 3, 1]}
          %y = reduce_mean(x = %a) {axes = [1, 2]}
        }
        """,
      after: """
        func @main(%x: fp32[2, 3, 4, 5]) -> ("y" = %y) {
          %y = reduce_mean(x = %x) {axes = [2, 3]} : fp32[2, 3]
        }
        """
    ),
    PassCase(
      SinkTransposes(),
      "sum-out-of-order",
      before: """
        func @main(%x: fp32[2, 3, 4, 5]) -> ("y" = %y) {
          %a = transpose(x = %x) {perm = [0, 3, 2, 1]}
          %y = reduce_sum(x = %a) {axes = [1, 2]}
        }
        """,
      after: nil
    ),
    PassCase(
      SinkTransposes(),
      "maximum-out-of-order",
      before: """
        func @main(%x: fp32[2, 3, 4, 5]) -> ("y" = %y) {
          %a = transpose(x = %x) {perm = [0, 3, 2, 1]}
          %y = reduce_max(x = %a) {axes = [1, 2]}
        }
        """,
      after: """
        func @main(%x: fp32[2, 3, 4, 5]) -> ("y" = %y) {
          %y = reduce_max(x = %x) {axes = [2, 3]} : fp32[2, 3]
        }
        """
    ),
  ]
}
