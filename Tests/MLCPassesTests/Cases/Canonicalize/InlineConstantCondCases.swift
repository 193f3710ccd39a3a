import MLCPasses

extension PassCase {
  static let inlineConstantCond: [PassCase] = [
    PassCase(
      InlineConstantCond(),
      "true",
      before: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %p = const {val = bool[](true)}
          %c = cond(pred = %p) {
            true_branch() {
              %f = exp(x = %x)
            } yield (%f)
            false_branch() {
            } yield (%x)
          }
          %y = abs(x = %c)
        }
        """,
      after: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %c = exp(x = %x) : fp32[2]
          %y = abs(x = %c) : fp32[2]
        }
        """
    ),
    PassCase(
      InlineConstantCond(),
      "false",
      before: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %p = const {val = bool[](false)}
          %c = cond(pred = %p) {
            true_branch() {
              %f = exp(x = %x)
            } yield (%f)
            false_branch() {
            } yield (%x)
          }
          %y = abs(x = %c)
        }
        """,
      after: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %y = abs(x = %x) : fp32[2]
        }
        """
    ),
    PassCase(
      InlineConstantCond(),
      "unknown",
      before: """
        func @main(%x: fp32[2], %p: bool[]) -> ("y" = %y) {
          %y = cond(pred = %p) {
            true_branch() {
              %f = exp(x = %x)
            } yield (%f)
            false_branch() {
            } yield (%x)
          }
        }
        """,
      after: nil
    ),
  ]
}
