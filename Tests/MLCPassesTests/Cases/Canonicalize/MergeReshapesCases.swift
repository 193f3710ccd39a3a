import MLCPasses

extension PassCase {
  static let mergeReshapes: [PassCase] = [
    PassCase(
      MergeReshapes(),
      "merge",
      before: """
        func @main(%x: fp32[n, 2, 6]) -> ("y" = %y) {
          %s = const {val = int64[3](0, -1, 3)}
          %a = reshape(x = %x, shape = %s)
          %b = expand_dims(x = %a) {axes = [1]}
          %c = transpose(x = %b) {perm = [1, 0, 2, 3]}
          %d = squeeze(x = %c) {axes = [0]}
          %y = abs(x = %d)
        }
        """,
      after: """
        func @main(%x: fp32[n, 2, 6]) -> ("y" = %y) {
          %shape_11 = const {val = int64[3](-1, 4, 3)} : int64[3]
          %d = reshape(x = %x, shape = %shape_11) : fp32[n, 4, 3]
          %y = abs(x = %d) : fp32[n, 4, 3]
        }
        """,
      sizes: ["n": 2]
    ),
    PassCase(
      MergeReshapes(),
      "cancel",
      before: """
        func @main(%x: fp32[n, 2, 6]) -> ("y" = %y) {
          %s = const {val = int64[3](0, -1, 3)}
          %t = const {val = int64[3](-1, 2, 6)}
          %a = reshape(x = %x, shape = %s)
          %b = reshape(x = %a, shape = %t)
          %y = exp(x = %b)
        }
        """,
      after: """
        func @main(%x: fp32[n, 2, 6]) -> ("y" = %y) {
          %y = exp(x = %x) : fp32[n, 2, 6]
        }
        """,
      sizes: ["n": 2]
    ),
    PassCase(
      MergeReshapes(),
      "moved-axes",
      before: """
        func @main(%x: fp32[2, 1, 6]) -> ("y" = %y) {
          %a = expand_dims(x = %x) {axes = [0]}
          %y = transpose(x = %a) {perm = [0, 3, 2, 1]}
        }
        """,
      after: nil
    ),
  ]
}
