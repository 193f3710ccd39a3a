import MLCPasses

extension PassCase {
  static let countSignedBytes: [PassCase] = [
    PassCase(
      CountSignedBytes(),
      "zero-point",
      before: """
        func @main(%x: fp32[4]) -> ("y" = %y) {
          %z = const {val = fp32[](-3.0)}
          %a = round(x = %x)
          %b = add(x = %a, y = %z)
          %c = clip(x = %b) {alpha = -128.0, beta = 127.0}
          %d = cast(x = %c) {dtype = int8}
          %y = cast(x = %d) {dtype = fp32}
        }
        """,
      after: """
        func @main(%x: fp32[4]) -> ("y" = %y) {
          %a = round(x = %x) : fp32[4]
          %scalar = const {val = fp32[](125.0)} : fp32[]
          %add = add(x = %a, y = %scalar) : fp32[4]
          %clip = clip(x = %add) {alpha = 0.0, beta = 255.0} : fp32[4]
          %cast = cast(x = %clip) {dtype = uint8} : uint8[4]
          %cast_11 = cast(x = %cast) {dtype = int32} : int32[4]
          %offset = const {val = int32[](128)} : int32[]
          %sub = sub(x = %cast_11, y = %offset) : int32[4]
          %d = cast(x = %sub) {dtype = int8} : int8[4]
          %y = cast(x = %d) : fp32[4]
        }
        """
    ),
    PassCase(
      CountSignedBytes(),
      "result",
      before: """
        func @main(%x: fp32[4]) -> ("y" = %y) {
          %a = round(x = %x)
          %b = clip(x = %a) {alpha = -128.0, beta = 127.0}
          %y = cast(x = %b) {dtype = int8}
        }
        """,
      after: nil
    ),
  ]
}
