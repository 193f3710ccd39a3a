import MLCCore

extension Rejection {
  static let operations: [Rejection] =
    shapes + movements + contractions + windows + recurrences + regions + valuesAtRunTime
    + treeEnsembles

  private static let shapes: [Rejection] = [
    inferring("add.dtype", "%x: fp32[1], %y: int32[1]", "%z = add(x = %x, y = %y)"),
    inferring("broadcast.shape", "%x: fp32[2], %y: fp32[3]", "%z = add(x = %x, y = %y)"),
    inferring("broadcast_to.dtype", "%x: fp32[1], %s: fp32[1]", "%y = broadcast_to(x = %x, shape = %s)"),
    inferring("broadcast_to.rank", "%x: fp32[1], %s: int64[n]", "%y = broadcast_to(x = %x, shape = %s)"),
    inferring(
      "broadcast_to.shape",
      "%x: fp32[1]",
      "%s = const {val = int64[1](-1)}\n%y = broadcast_to(x = %x, shape = %s)"
    ),
    inferring("bit_cast.dtype", "%x: int8[1]", "%y = bit_cast(x = %x) {dtype = bool}"),
    inferring("decode_image.dtype", "%x: int8[1]", "%y = decode_image(x = %x)"),
    inferring("decode_image.mode", "%x: uint8[1]", "%y = decode_image(x = %x) {pixel_format = \"\"}"),
    inferring("exp.dtype", "%x: int32[1]", "%y = exp(x = %x)"),
    inferring("fill.shape", "%v: fp32[]", "%s = const {val = int64[1](-1)}\n%y = fill(shape = %s, value = %v)"),
    inferring("gelu.mode", "%x: fp32[1]", "%y = gelu(x = %x) {mode = \"\"}"),
    inferring("local_response_norm.size", "%x: fp32[1, 1]", "%y = local_response_norm(x = %x) {size = 0}"),
    inferring("prelu.shape", "%x: fp32[1], %a: fp32[2]", "%y = prelu(x = %x, alpha = %a)"),
    inferring("reduce_sum.axis", "%x: fp32[1]", "%y = reduce_sum(x = %x) {axes = [0, 0]}"),
    inferring(
      "reshape.count",
      "%x: fp32[1]",
      "%s = const {val = int64[1](2)}\n%y = reshape(x = %x, shape = %s)"
    ),
    inferring("reshape.rank", "%x: fp32[1], %s: int64[n]", "%y = reshape(x = %x, shape = %s)"),
    inferring(
      "reshape.shape",
      "%x: fp32[1]",
      "%s = const {val = int64[2](-1, -1)}\n%y = reshape(x = %x, shape = %s)"
    ),
    inferring("regex_full_match.dtype", "%x: fp32[1]", "%y = regex_full_match(x = %x)"),
    inferring("string_rank.dtype", "%x: fp32[1]", "%y = string_rank(x = %x)"),
    inferring("text.pattern", "%x: string[1]", "%y = regex_full_match(x = %x) {pattern = \"(\"}"),
    inferring("text.pattern-size", "%x: string[1]", "%y = regex_full_match(x = %x) {pattern = \"(a{999}){999}\"}"),
    inferring("string_concat.dtype", "%x: fp32[1]", "%z = string_concat(x = %x, y = %x)"),
    inferring("string_normalizer.dtype", "%x: fp32[1]", "%y = string_normalizer(x = %x)"),
    inferring("string_normalizer.mode", "%x: string[1]", "%y = string_normalizer(x = %x) {case_change = \"TITLE\"}"),
    inferring("string_normalizer.shape", "%x: string[2, 1]", "%y = string_normalizer(x = %x)"),
    inferring("string_split.dtype", "%x: fp32[1]", "%y, %c = string_split(x = %x)"),
    inferring("softmax.axis", "%x: fp32[1]", "%y = softmax(x = %x) {axis = 1}"),
    inferring("squeeze.extent", "%x: fp32[2]", "%y = squeeze(x = %x) {axes = [0]}"),
    inferring("tile.reps", "%x: fp32[1]", "%r = const {val = int64[1](-1)}\n%y = tile(x = %x, reps = %r)"),
    inferring("transpose.perm", "%x: fp32[1]", "%y = transpose(x = %x) {perm = [0, 0]}"),
    inferring(
      "one_hot.depth",
      "%i: int32[1], %v: fp32[]",
      "%d = const {val = int32[](-1)}\n%y = one_hot(indices = %i, depth = %d, on_value = %v, off_value = %v)"
    ),
  ]

  private static let movements: [Rejection] = [
    inferring("concat.empty", "", "%y = concat {axis = 0}"),
    inferring("concat.shape", "%x: fp32[1], %y: fp32[1, 1]", "%z = concat(values = (%x, %y)) {axis = 0}"),
    inferring("gather.batch", "%x: fp32[2], %i: int32[3]", "%y = gather(x = %x, indices = %i) {batch_dims = 1}"),
    inferring(
      "gather_along_axis.shape",
      "%x: fp32[1], %i: int32[1, 1]",
      "%y = gather_along_axis(x = %x, indices = %i)"
    ),
    inferring("gather_nd.shape", "%x: fp32[1], %i: int32[2]", "%y = gather_nd(x = %x, indices = %i)"),
    inferring("pad.amounts", "%x: fp32[1], %p: int32[1]", "%y = pad(x = %x, pad = %p)"),
    inferring("pad.mode", "%x: fp32[1], %p: int32[2]", "%y = pad(x = %x, pad = %p) {mode = \"\"}"),
    inferring(
      "resize.empty",
      "%x: fp32[0]",
      "%s = const {val = int32[1](1)}\n%y = resize(x = %x, sizes = %s)"
    ),
    inferring("resize.mode", "%x: fp32[1], %s: int32[1]", "%y = resize(x = %x, sizes = %s) {mode = \"\"}"),
    inferring(
      "resize.roi",
      "%x: fp32[1], %s: int32[1]",
      "%y = resize(x = %x, sizes = %s) {coordinate_transformation_mode = \"tf_crop_and_resize\"}"
    ),
    inferring(
      "resize.scales",
      "%x: fp32[1]",
      "%s = const {val = fp32[1](0)}\n%y = resize(x = %x, scales = %s)"
    ),
    inferring("resize.target", "%x: fp32[1]", "%y = resize(x = %x)"),
    inferring(
      "scatter_along_axis.shape",
      "%x: fp32[1], %i: int32[1], %u: fp32[2]",
      "%y = scatter_along_axis(data = %x, indices = %i, updates = %u)"
    ),
    inferring(
      "scatter_nd.mode",
      "%x: fp32[1], %i: int32[1], %u: fp32[]",
      "%y = scatter_nd(data = %x, indices = %i, updates = %u) {mode = \"\"}"
    ),
    inferring(
      "scatter_nd.shape",
      "%x: fp32[1], %i: int32[1], %u: fp32[1]",
      "%y = scatter_nd(data = %x, indices = %i, updates = %u)"
    ),
    inferring(
      "slice_by_index.rank",
      "%x: fp32[1], %b: int32[2]",
      "%y = slice_by_index(x = %x, begin = %b, end = %b)"
    ),
    inferring(
      "slice_by_index.stride",
      "%x: fp32[1], %b: int32[1]",
      "%s = const {val = int32[1](0)}\n%y = slice_by_index(x = %x, begin = %b, end = %b, stride = %s)"
    ),
    inferring("split.count", "%x: fp32[1]", "%y = split(x = %x) {num_splits = 0}"),
    inferring("split.sizes", "%x: fp32[1]", "%y = split(x = %x) {split_sizes = [2]}"),
    inferring(
      "non_max_suppression.shape",
      "%b: fp32[1, 1, 3], %s: fp32[1, 1, 1], %n: int64[], %t: fp32[]",
      "%y = non_max_suppression(boxes = %b, scores = %s, max_boxes = %n, iou_threshold = %t)"
    ),
    inferring(
      "non_max_suppression.dtype",
      "%b: fp64[1, 1, 4], %s: fp64[1, 1, 1], %n: int64[], %t: fp64[]",
      "%y = non_max_suppression(boxes = %b, scores = %s, max_boxes = %n, iou_threshold = %t)"
    ),
    inferring("topk.k", "%x: fp32[1], %k: int32[2]", "%y, %i = topk(x = %x, k = %k)"),
  ]

  private static let contractions: [Rejection] = [
    inferring("linear.bias", "%x: fp32[1], %w: fp32[1, 1], %b: fp32[2]", "%y = linear(x = %x, weight = %w, bias = %b)"),
    inferring("linear.contraction", "%x: fp32[1], %w: fp32[1, 2]", "%y = linear(x = %x, weight = %w)"),
    inferring("matmul.contraction", "%x: fp32[1], %y: fp32[2]", "%z = matmul(x = %x, y = %y)"),
    inferring("matmul.dtype", "%x: fp32[4], %w: int8[1, 4]", "%y = matmul_integer(x = %x, weight = %w)"),
    inferring("matmul.rank", "%x: fp32[], %y: fp32[1]", "%z = matmul(x = %x, y = %y)"),
    inferring(
      "scaled_dot_product_attention.mask",
      "%q: fp32[1, 1, 1], %m: bool[2, 1]",
      "%y = scaled_dot_product_attention(query = %q, key = %q, value = %q, attn_mask = %m)"
    ),
    inferring(
      "scaled_dot_product_attention.shape",
      "%q: fp32[1, 1, 1], %k: fp32[1, 1, 2]",
      "%y = scaled_dot_product_attention(query = %q, key = %k, value = %q)"
    ),
    inferring("layer_norm.beta", "%x: fp32[1], %b: fp32[2]", "%y = layer_norm(x = %x, beta = %b) {axes = [0]}"),
    inferring("layer_norm.gamma", "%x: fp32[1], %g: fp32[2]", "%y = layer_norm(x = %x, gamma = %g) {axes = [0]}"),
    inferring("batch_norm.mean", "%x: fp32[1, 1], %m: fp32[2]", "%y = batch_norm(x = %x, mean = %m, variance = %m)"),
  ]
}
