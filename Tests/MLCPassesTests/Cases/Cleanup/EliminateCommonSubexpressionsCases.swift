import MLCPasses

extension PassCase {
  static let eliminateCommonSubexpressions: [PassCase] = [
    PassCase(
      EliminateCommonSubexpressions(),
      "blocks",
      before: """
        func @main(%x: fp32[2], %p: bool[]) -> ("y" = %y) {
          %a = exp(x = %x)
          %b = exp(x = %x)
          %c = clip(x = %a) {alpha = 0.5}
          %d = clip(x = %b) {alpha = 0.25}
          %e = cond(pred = %p) {
            true_branch() {
              %f = exp(x = %x)
            } yield (%f)
            false_branch() {
              %g = tanh(x = %x)
              %h = tanh(x = %x)
              %i = add(x = %g, y = %h)
            } yield (%i)
          }
          %k = tanh(x = %x)
          %l = add(x = %c, y = %d)
          %m = add(x = %l, y = %e)
          %y = add(x = %m, y = %k)
        }
        """,
      after: """
        func @main(%x: fp32[2], %p: bool[]) -> ("y" = %y) {
          %a = exp(x = %x) : fp32[2]
          %c = clip(x = %a) {alpha = 0.5} : fp32[2]
          %d = clip(x = %a) {alpha = 0.25} : fp32[2]
          %e = cond(pred = %p) {
            true_branch() {
            } yield (%a)
            false_branch() {
              %g = tanh(x = %x) : fp32[2]
              %i = add(x = %g, y = %g) : fp32[2]
            } yield (%i)
          } : fp32[2]
          %k = tanh(x = %x) : fp32[2]
          %l = add(x = %c, y = %d) : fp32[2]
          %m = add(x = %l, y = %e) : fp32[2]
          %y = add(x = %m, y = %k) : fp32[2]
        }
        """
    ),
    PassCase(
      EliminateCommonSubexpressions(),
      "sizes that data decides",
      before: """
        func @main(%x: fp32[4]) -> ("y" = %y, "z" = %z) {
          %a = non_zero(x = %x)
          %b = non_zero(x = %x)
          %y = concat(values = (%a, %b)) {axis = 0}
          %z = expand_dims(x = %b) {axes = [0]}
        }
        """,
      after: """
        func @main(%x: fp32[4]) -> ("y" = %y, "z" = %z) {
          %a = non_zero(x = %x) : int32[a.n, 1]
          %y = concat(values = (%a, %a)) : int32[2*a.n, 1]
          %z = expand_dims(x = %a) {axes = [0]} : int32[1, a.n, 1]
        }
        """
    ),
    PassCase(
      EliminateCommonSubexpressions(),
      "constants",
      before: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %a = const {val = fp32[](0.0)}
          %b = const {val = fp32[](0.0)}
          %c = const {val = fp32[](-0.0)}
          %d = add(x = %x, y = %a)
          %e = add(x = %x, y = %b)
          %f = add(x = %x, y = %c)
          %g = concat(values = (%d, %e, %f)) {axis = 0}
          %y = inverse(x = %g) {epsilon = 0.0}
        }
        """,
      after: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %a = const : fp32[]
          %c = const {val = fp32[](-0.0)} : fp32[]
          %d = add(x = %x, y = %a) : fp32[2]
          %f = add(x = %x, y = %c) : fp32[2]
          %g = concat(values = (%d, %d, %f)) : fp32[6]
          %y = inverse(x = %g) : fp32[6]
        }
        """
    ),
  ]
}
