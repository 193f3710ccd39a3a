import MLCPasses

extension PassCase {
  static let mergeTransposes: [PassCase] = [
    PassCase(
      MergeTransposes(),
      "merge",
      before: """
        func @main(%x: fp32[2, 3, 4]) -> ("y" = %y) {
          %a = transpose(x = %x) {perm = [1, 0, 2]}
          %y = transpose(x = %a) {perm = [0, 2, 1]}
        }
        """,
      after: """
        func @main(%x: fp32[2, 3, 4]) -> ("y" = %y) {
          %y = transpose(x = %x) {perm = [1, 2, 0]} : fp32[3, 4, 2]
        }
        """
    ),
    PassCase(
      MergeTransposes(),
      "cancel",
      before: """
        func @main(%x: fp32[2, 3, 4]) -> ("y" = %y) {
          %a = transpose(x = %x) {perm = [1, 2, 0]}
          %b = transpose(x = %a) {perm = [2, 0, 1]}
          %y = abs(x = %b)
        }
        """,
      after: """
        func @main(%x: fp32[2, 3, 4]) -> ("y" = %y) {
          %y = abs(x = %x) : fp32[2, 3, 4]
        }
        """
    ),
  ]
}
