import MLCPasses

extension PassCase {
  static let castToFp16: [PassCase] = [
    PassCase(
      CastToFp16(),
      "constants",
      before: """
        func @main(%x: fp32[2], %i: int32[2]) -> ("y" = %y, "j" = %j) {
          %e = const {val = fp32[](1e-12)}
          %m = const {val = fp32[](-3e+38)}
          %k = const {val = int32[](70000)}
          %a = add(x = %x, y = %e)
          %b = maximum(x = %a, y = %m)
          %y = exp(x = %b)
          %j = add(x = %i, y = %k)
        }
        """,
      after: """
        func @main(%x: fp32[2], %i: int32[2]) -> ("y" = %y, "j" = %j) {
          %k = const {val = int32[](70000)} : int32[]
          %e = const {val = fp32[](1e-12)} : fp32[]
          %a = add(x = %x, y = %e) : fp32[2]
          %m = const {val = fp32[](-3e+38)} : fp32[]
          %b = maximum(x = %a, y = %m) : fp32[2]
          %b_fp16 = cast(x = %b) {dtype = fp16} : fp16[2]
          %y_fp16 = exp(x = %b_fp16) : fp16[2]
          %j = add(x = %i, y = %k) : int32[2]
          %y = cast(x = %y_fp16) : fp32[2]
        }
        """
    ),
    PassCase(
      CastToFp16(),
      "blocks",
      before: """
        func @main(%x: fp32[2], %p: bool[]) -> ("y" = %y) {
          %a = exp(x = %x)
          %c = cond(pred = %p) {
            true_branch() {
              %f = sin(x = %a)
            } yield (%f)
            false_branch() {
            } yield (%x)
          }
          %y = abs(x = %c)
        }
        """,
      after: """
        func @main(%x: fp32[2], %p: bool[]) -> ("y" = %y) {
          %x_fp16 = cast(x = %x) {dtype = fp16} : fp16[2]
          %a_fp16 = exp(x = %x_fp16) : fp16[2]
          %a = cast(x = %a_fp16) : fp32[2]
          %c = cond(pred = %p) {
            true_branch() {
              %f = sin(x = %a) : fp32[2]
            } yield (%f)
            false_branch() {
            } yield (%x)
          } : fp32[2]
          %c_fp16 = cast(x = %c) {dtype = fp16} : fp16[2]
          %y_fp16 = abs(x = %c_fp16) : fp16[2]
          %y = cast(x = %y_fp16) : fp32[2]
        }
        """
    ),
  ]
}
