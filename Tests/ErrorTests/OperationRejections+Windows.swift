import MLCCore

extension Rejection {
  static let windows: [Rejection] = [
    conv("conv.bias", bias: "fp32[2]"),
    conv("conv.channels", x: "fp32[1, 2, 1]"),
    conv("conv.dilations", "dilations = [0]"),
    conv("conv.dtype", x: "fp16[1, 1, 1]"),
    conv("conv.groups", "groups = 0"),
    conv("conv.kernel", weight: "fp32[1, 1, 2]"),
    conv("conv.pad", "pad = [-1, 0]"),
    conv("conv.pad-type", "pad_type = \"\""),
    conv("conv.rank", weight: "fp32[1, 1, 1, 1]"),
    conv("conv.strides", "strides = [0]"),
    conv("conv_transpose.channels", x: "fp32[1, 2, 1]"),
    conv("conv_transpose.groups", "groups = 0"),
    conv("conv_transpose.output-padding", "output_padding = [-1]"),
    conv("conv_transpose.output-shape", "output_shape = [1]"),
    conv("conv_transpose.pad-type", "pad_type = \"same\", strides = [2]"),
    conv("conv_transpose.rank", weight: "fp32[1, 1, 1, 1]"),
    inferring("max_pool.kernel", "%x: fp32[1, 1, 1]", "%y = max_pool(x = %x)"),
    inferring("depth_to_space.block", "%x: fp32[1, 1, 1, 1]", "%y = depth_to_space(x = %x) {block_size = 0}"),
    inferring("depth_to_space.shape", "%x: fp32[1, 1, 1, 1]", "%y = depth_to_space(x = %x) {block_size = 2}"),
  ]

  /// The convolution that `id` begins with, sound but for what is given.
  private static func conv(
    _ id: String,
    _ attributes: String = "groups = 1",
    x: String = "fp32[1, 1, 1]",
    weight: String = "fp32[1, 1, 1]",
    bias: String = "fp32[1]"
  ) -> Rejection {
    let name = id.prefix { $0 != "." }
    return inferring(
      id,
      "%x: \(x), %w: \(weight), %b: \(bias)",
      "%y = \(name)(x = %x, weight = %w, bias = %b) {\(attributes)}"
    )
  }

  static let recurrences: [Rejection] = [
    lstm("lstm.activation", "activation = \"\""),
    lstm("lstm.bias", extra: ", %b: fp32[1]", arguments: ", bias = %b"),
    lstm("lstm.direction", "direction = \"\""),
    lstm("lstm.direction", "direction = \"bidirectional\""),
    lstm("lstm.initial", extra: ", %s: fp32[1, 2]", arguments: ", initial_h = %s"),
    lstm("lstm.sequence-lens", extra: ", %l: int32[2]", arguments: ", sequence_lens = %l"),
    lstm("lstm.weights", weight: "fp32[3, 1]"),
  ]

  private static func lstm(
    _ id: String,
    _ attributes: String = "direction = \"forward\"",
    weight: String = "fp32[4, 1]",
    extra: String = "",
    arguments: String = ""
  ) -> Rejection {
    inferring(
      id,
      "%x: fp32[1, 1, 1], %w: \(weight), %h: fp32[4, 1]\(extra)",
      "%y, %a, %c = lstm(x = %x, weight_ih = %w, weight_hh = %h\(arguments)) {\(attributes)}"
    )
  }

  static let regions: [Rejection] = [
    inferring("cond.dtype", "%p: bool[], %x: fp32[]", cond("%p", "%x")),
    inferring("cond.outputs", "%p: bool[]", cond("%p", "")),
    inferring("cond.pred", "%p: bool[2]", cond("%p", "%p")),
    inferring("cond.rank", "%p: bool[], %x: bool[1]", cond("%p", "%x")),
    inferring("ensure.dtype", "%x: fp32[]", "%y = ensure(x = %x, holds = %x)"),
    inferring("ensure.pred", "%x: bool[2]", "%y = ensure(x = %x, holds = %x)"),
    inferring("while_loop.body", "%x: bool[], %y: fp32[]", loop(cond: "%x", body: "%y")),
    inferring("while_loop.cond", "%x: fp32[]", loop(cond: "%x", body: "%x")),
  ]

  private static func cond(_ yes: String, _ no: String) -> String {
    "%y = cond(pred = %p) { true_branch() { } yield (\(yes)) false_branch() { } yield (\(no)) }"
  }

  private static func loop(cond: String, body: String) -> String {
    "%z = while_loop(loop_vars = (%x)) { cond(%a: bool[]) { } yield (\(cond)) body(%b: bool[]) { } yield (\(body)) }"
  }
}
