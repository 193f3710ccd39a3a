import MLCPasses

extension PassCase {
  static let sinkSqueezes: [PassCase] = [
    PassCase(
      SinkSqueezes(),
      "chain",
      before: """
        func @main(%x: fp32[1, 2, 1, 4], %z: fp32[1, 2, 1, 4]) -> ("y" = %y) {
          %c = const {val = fp32[2, 1](1.0, -2.0)}
          %d = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)}
          %p = const {val = int32[2](1, 2)}
          %m = const {val = fp32[2](1.0, -2.0)}
          %v = const {val = fp32[2](4.0, 9.0)}
          %a = squeeze(x = %x) {axes = [2]}
          %b = squeeze(x = %z) {axes = [2]}
          %e = relu(x = %a)
          %f = add(x = %e, y = %c)
          %g = mul(x = %d, y = %f)
          %h = sub(x = %g, y = %b)
          %i = batch_norm(x = %h, mean = %m, variance = %v)
          %j = pad(x = %i, pad = %p) {mode = "reflect"}
          %k = concat(values = (%j, %j)) {axis = -1}
          %y = expand_dims(x = %k) {axes = [2]}
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 1, 4], %z: fp32[1, 2, 1, 4]) -> ("y" = %concat) {
          %d = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)} : fp32[4]
          %m = const {val = fp32[2](1.0, -2.0)} : fp32[2]
          %v = const {val = fp32[2](4.0, 9.0)} : fp32[2]
          %relu = relu(x = %x) : fp32[1, 2, 1, 4]
          %const = const {val = fp32[2, 1, 1](1.0, -2.0)} : fp32[2, 1, 1]
          %add = add(x = %relu, y = %const) : fp32[1, 2, 1, 4]
          %mul = mul(x = %d, y = %add) : fp32[1, 2, 1, 4]
          %sub = sub(x = %mul, y = %z) : fp32[1, 2, 1, 4]
          %batch_norm = batch_norm(x = %sub, mean = %m, variance = %v) : fp32[1, 2, 1, 4]
          %pad = const {val = int32[8](0, 0, 0, 0, 0, 0, 1, 2)} : int32[8]
          %pad_29 = pad(x = %batch_norm, pad = %pad) {mode = "reflect"} : fp32[1, 2, 1, 7]
          %concat = concat(values = (%pad_29, %pad_29)) {axis = 3} : fp32[1, 2, 1, 14]
        }
        """
    ),
    PassCase(
      SinkSqueezes(),
      "parts",
      before: """
        func @main(%x: fp32[1, 4, 1, 6]) -> ("a" = %a, "b" = %b, "c" = %c, "d" = %d, "e" = %e) {
          %low = const {val = int64[3](0, 1, 2)}
          %high = const {val = int64[3](1, 3, -1)}
          %s = const {val = fp32[3](1.0, 1.0, 2.0)}
          %r = squeeze(x = %x) {axes = [2]}
          %a, %b = split(x = %r) {axis = 1, split_sizes = [1, 3]}
          %c = slice_by_index(x = %r, begin = %low, end = %high) {begin_mask = [true, false, false]}
          %d = reduce_mean(x = %r) {axes = [-1], keep_dims = false}
          %e = resize(x = %r, scales = %s)
        }
        """,
      after: """
        func @main(%x: fp32[1, 4, 1, 6]) -> ("a" = %a, "b" = %b, "c" = %c, "d" = %d, "e" = %e) {
          %s = const {val = fp32[3](1.0, 1.0, 2.0)} : fp32[3]
          %split, %split_11 = split(x = %x) {axis = 1, split_sizes = [1, 3]} : fp32[1, 1, 1, 6], fp32[1, 3, 1, 6]
          %a = squeeze(x = %split) {axes = [2]} : fp32[1, 1, 6]
          %b = squeeze(x = %split_11) {axes = [2]} : fp32[1, 3, 6]
          %begin = const {val = int64[4](0, 1, 0, 2)} : int64[4]
          %end = const {val = int64[4](1, 3, 1, -1)} : int64[4]
          %slice_by_index = slice_by_index(x = %x, begin = %begin, end = %end) \
        {begin_mask = [true, false, true, false]} : fp32[1, 2, 1, 3]
          %c = squeeze(x = %slice_by_index) {axes = [2]} : fp32[1, 2, 3]
          %reduce_mean = reduce_mean(x = %x) {axes = [3], keep_dims = true} : fp32[1, 4, 1, 1]
          %d = squeeze(x = %reduce_mean) {axes = [2, 3]} : fp32[1, 4]
          %resize = resize(x = %x, scales = %s) {axes = [0, 1, 3]} : fp32[1, 4, 1, 12]
          %e = squeeze(x = %resize) {axes = [2]} : fp32[1, 4, 12]
        }
        """
    ),
    // The other argument is no row, or nothing that a row can be taken from.
    PassCase(
      SinkSqueezes(),
      "others",
      before: """
        func @main(%x: fp32[2, 1, 1, 4], %z: fp32[2, 1, 4]) -> ("a" = %a, "b" = %b, "c" = %c) {
          %r = squeeze(x = %x) {axes = [2]}
          %s = squeeze(x = %x) {axes = [1]}
          %a = add(x = %r, y = %z)
          %b = concat(values = (%z, %r)) {axis = 1}
          %c = relu(x = %s)
        }
        """,
      after: nil
    ),
  ]
}
