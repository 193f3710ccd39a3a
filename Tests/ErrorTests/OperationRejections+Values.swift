import MLCCore

extension Rejection {
  /// Refused only when the values are there.
  static let valuesAtRunTime: [Rejection] = [
    running(
      "broadcast_to.shape",
      "%x: fp32[1], %s: int64[1]",
      "%y = broadcast_to(x = %x, shape = %s)",
      [one, int(-1)]
    ),
    running(
      "fill.shape",
      "%s: int64[1], %v: fp32[1]",
      "%w = squeeze(x = %v)\n%y = fill(shape = %s, value = %w)",
      [int(-1), one]
    ),
    running(
      "fill.size",
      "%s: int64[1], %v: fp32[1]",
      "%w = squeeze(x = %v)\n%y = fill(shape = %s, value = %w)",
      [int(1 << 60), one]
    ),
    running("cast.text", "%x: string[1]", "%y = cast(x = %x) {dtype = int8}", [Tensor([1], strings: ["128"])]),
    running(
      "string_concat.size",
      "%x: string[n, 1], %y: string[1, n]",
      "%z = string_concat(x = %x, y = %y)",
      [Tensor([1 << 14, 1], strings: long), Tensor([1, 1 << 14], strings: long)]
    ),
    running(
      "string_normalizer.shape",
      "%x: string[n, 1]",
      "%y = string_normalizer(x = %x)",
      [Tensor([2, 1], strings: ["", ""])]
    ),
    running(
      "string_split.size",
      "%x: string[n]",
      "%y, %c = string_split(x = %x)",
      [Tensor([1 << 16], strings: [String](repeating: "", count: 1 << 16 - 1) + [spaced])]
    ),
    running("ensure.violated", "%p: bool[]", "%y = ensure(x = %p, holds = %p)", [.scalar(.bool, 0)]),
    running("gather.index", "%x: fp32[1], %i: int64[1]", "%y = gather(x = %x, indices = %i)", [one, int(1)]),
    running("gather_nd.index", "%x: fp32[1], %i: int64[1]", "%y = gather_nd(x = %x, indices = %i)", [one, int(1)]),
    running(
      "lstm.sequence-lens",
      "%x: fp32[1, 1, 1], %w: fp32[4, 1], %l: int64[1]",
      "%y, %a, %c = lstm(x = %x, weight_ih = %w, weight_hh = %w, sequence_lens = %l)",
      [Tensor([1, 1, 1], floats: [0]), Tensor([4, 1], floats: [0, 0, 0, 0]), int(2)]
    ),
    running(
      "one_hot.depth",
      "%i: int64[1], %d: int64[], %v: fp32[]",
      "%y = one_hot(indices = %i, depth = %d, on_value = %v, off_value = %v)",
      [int(0), .scalar(.int64, -1), .scalar(.float32, 0)]
    ),
    running(
      "pad.amounts",
      "%x: fp32[1], %p: int64[2]",
      "%y = pad(x = %x, pad = %p)",
      [one, Tensor(.int64, [2], [-2, 0])]
    ),
    running(
      "pad.empty",
      "%x: fp32[n], %p: int64[2]",
      "%y = pad(x = %x, pad = %p) {mode = \"reflect\"}",
      [Tensor([0], floats: []), Tensor(.int64, [2], [1, 0])]
    ),
    running(
      "pad.value",
      "%x: fp32[1], %p: int64[2], %c: fp32[n]",
      "%y = pad(x = %x, pad = %p, constant_val = %c)",
      [one, Tensor(.int64, [2], [0, 0]), Tensor([2], floats: [0, 0])]
    ),
    running("range_1d.size", range, "%y = range_1d(end = %e, start = %s, step = %d)", scalars(1 << 60, 0, 1)),
    running("range_1d.step", range, "%y = range_1d(end = %e, start = %s, step = %d)", scalars(1, 0, 0)),
    running("reduce_argmax.empty", "%x: fp32[n]", "%y = reduce_argmax(x = %x) {axis = 0}", [Tensor([0], floats: [])]),
    running(
      "slice_by_index.index",
      "%x: fp32[1], %b: int64[1]",
      "%y = slice_by_index(x = %x, begin = %b, end = %b) {squeeze_mask = [true]}",
      [one, int(1)]
    ),
    running("tile.size", "%x: fp32[1], %r: int64[1]", "%y = tile(x = %x, reps = %r)", [one, int(1 << 60)]),
    running("topk.k", "%x: fp32[1], %k: int64[1]", "%y, %i = topk(x = %x, k = %k)", [one, int(2)]),
    running(
      "trilu.k",
      "%x: fp32[1, 1], %k: int64[n]",
      "%y = trilu(x = %x, k = %k)",
      [Tensor([1, 1], floats: [0]), .shape([0, 0])]
    ),
    running(
      "graph.negative-extent",
      "%x: fp32[1, 1, n], %w: fp32[1, 1, k]",
      "%y = conv_transpose(x = %x, weight = %w) {pad = [1, 1]}",
      [Tensor([1, 1, 1], floats: [0]), Tensor([1, 1, 1], floats: [0])]
    ),
  ]

  private static let long = [String](repeating: String(repeating: "a", count: 256), count: 1 << 14)
  private static let spaced = String(repeating: "a ", count: 1 << 17)
  private static let one = Tensor([1], floats: [0])
  private static let range = "%e: int64[], %s: int64[], %d: int64[]"
  private static func int(_ value: Int) -> Tensor { Tensor(.int64, [1], [value]) }
  private static func scalars(_ values: Int...) -> [Tensor] { values.map { .scalar(.int64, $0) } }
}
