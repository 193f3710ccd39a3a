import MLCPasses

extension PassCase {
  static let eliminateDeadCode: [PassCase] = [
    PassCase(
      EliminateDeadCode(),
      "blocks",
      before: """
        func @main(%x: fp32[2], %p: bool[]) -> ("y" = %y) {
          %a = exp(x = %x)
          %b = tanh(x = %a)
          %y = cond(pred = %p) {
            true_branch() {
              %f = sin(x = %x)
              %g = tanh(x = %f)
            } yield (%f)
            false_branch() {
            } yield (%x)
          }
        }
        """,
      after: """
        func @main(%x: fp32[2], %p: bool[]) -> ("y" = %y) {
          %y = cond(pred = %p) {
            true_branch() {
              %f = sin(x = %x) : fp32[2]
            } yield (%f)
            false_branch() {
            } yield (%x)
          } : fp32[2]
        }
        """
    )
  ]
}
