// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `abs`, since iOS 15.
  public func abs(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("abs", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `acos`, since iOS 15.
  public func acos(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("acos", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `add`, since iOS 15.
  public func add(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("add", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `affine`, since iOS 15.
  public func affine(
    x: any Argument,
    transform_matrix: any Argument,
    output_height: any Argument,
    output_width: any Argument,
    sampling_mode: any Argument,
    padding_mode: any Argument,
    padding_value: any Argument,
    coordinates_mode: any Argument,
    align_corners: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("transform_matrix", transform_matrix),
      ("output_height", output_height),
      ("output_width", output_width),
      ("sampling_mode", sampling_mode),
      ("padding_mode", padding_mode),
      ("padding_value", padding_value),
      ("coordinates_mode", coordinates_mode),
      ("align_corners", align_corners),
    ]
    return try result("affine", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `argsort`, since iOS 15.
  public func argsort(
    x: any Argument,
    axis: (any Argument)? = nil,
    ascending: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axis", axis),
      ("ascending", ascending),
    ]
    return try result("argsort", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `asin`, since iOS 15.
  public func asin(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("asin", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `atan`, since iOS 15.
  public func atan(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("atan", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `atanh`, since iOS 15.
  public func atanh(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("atanh", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `avg_pool`, since iOS 15.
  public func avg_pool(
    x: any Argument,
    kernel_sizes: any Argument,
    pad_type: any Argument,
    exclude_padding_from_average: (any Argument)? = nil,
    strides: (any Argument)? = nil,
    pad: (any Argument)? = nil,
    ceil_mode: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("exclude_padding_from_average", exclude_padding_from_average),
      ("x", x),
      ("kernel_sizes", kernel_sizes),
      ("strides", strides),
      ("pad_type", pad_type),
      ("pad", pad),
      ("ceil_mode", ceil_mode),
    ]
    return try result("avg_pool", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `band_part`, since iOS 15.
  public func band_part(
    x: any Argument,
    lower: (any Argument)? = nil,
    upper: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("lower", lower),
      ("upper", upper),
    ]
    return try result("band_part", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `batch_norm`, since iOS 15.
  public func batch_norm(
    x: any Argument,
    mean: any Argument,
    variance: any Argument,
    gamma: (any Argument)? = nil,
    beta: (any Argument)? = nil,
    epsilon: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("mean", mean),
      ("variance", variance),
      ("gamma", gamma),
      ("beta", beta),
      ("epsilon", epsilon),
    ]
    return try result("batch_norm", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `batch_to_space`, since iOS 15.
  public func batch_to_space(
    x: any Argument,
    block_shape: any Argument,
    crops: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("block_shape", block_shape),
      ("crops", crops),
    ]
    return try result("batch_to_space", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `cast`, since iOS 15.
  public func cast(
    x: any Argument,
    dtype: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("dtype", dtype),
    ]
    return try result("cast", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `ceil`, since iOS 15.
  public func ceil(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("ceil", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `clamped_relu`, since iOS 15.
  public func clamped_relu(
    x: any Argument,
    alpha: any Argument,
    beta: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
      ("beta", beta),
    ]
    return try result("clamped_relu", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `classify`, since iOS 15.
  public func classify(
    probabilities: any Argument,
    classes: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [Value] {
    let arguments: [(String, (any Argument)?)] = [
      ("probabilities", probabilities),
      ("classes", classes),
    ]
    return try results("classify", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `clip`, since iOS 15.
  public func clip(
    x: any Argument,
    alpha: any Argument,
    beta: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
      ("beta", beta),
    ]
    return try result("clip", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `concat`, since iOS 15.
  public func concat(
    values: any Argument,
    axis: any Argument,
    interleave: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("values", values),
      ("axis", axis),
      ("interleave", interleave),
    ]
    return try result("concat", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `conv`, since iOS 15.
  public func conv(
    x: any Argument,
    weight: any Argument,
    bias: (any Argument)? = nil,
    strides: (any Argument)? = nil,
    pad_type: (any Argument)? = nil,
    pad: (any Argument)? = nil,
    dilations: (any Argument)? = nil,
    groups: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("weight", weight),
      ("bias", bias),
      ("strides", strides),
      ("pad_type", pad_type),
      ("pad", pad),
      ("dilations", dilations),
      ("groups", groups),
    ]
    return try result("conv", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `conv_quantized`, since iOS 15.
  public func conv_quantized(
    x: any Argument,
    weight: any Argument,
    quantization_type: any Argument,
    quant_scale: any Argument,
    quant_bias: any Argument,
    bias: (any Argument)? = nil,
    nbits: (any Argument)? = nil,
    strides: (any Argument)? = nil,
    pad_type: (any Argument)? = nil,
    pad: (any Argument)? = nil,
    dilations: (any Argument)? = nil,
    groups: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("weight", weight),
      ("bias", bias),
      ("quantization_type", quantization_type),
      ("nbits", nbits),
      ("quant_scale", quant_scale),
      ("quant_bias", quant_bias),
      ("strides", strides),
      ("pad_type", pad_type),
      ("pad", pad),
      ("dilations", dilations),
      ("groups", groups),
    ]
    return try result("conv_quantized", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `conv_transpose`, since iOS 15.
  public func conv_transpose(
    x: any Argument,
    weight: any Argument,
    bias: (any Argument)? = nil,
    pad: (any Argument)? = nil,
    output_shape: (any Argument)? = nil,
    pad_type: (any Argument)? = nil,
    strides: (any Argument)? = nil,
    dilations: (any Argument)? = nil,
    groups: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("weight", weight),
      ("bias", bias),
      ("pad", pad),
      ("output_shape", output_shape),
      ("pad_type", pad_type),
      ("strides", strides),
      ("dilations", dilations),
      ("groups", groups),
    ]
    return try result("conv_transpose", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `cos`, since iOS 15.
  public func cos(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("cos", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `cosh`, since iOS 15.
  public func cosh(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("cosh", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `crop`, since iOS 15.
  public func crop(
    x: any Argument,
    crop_height: any Argument,
    crop_width: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("crop_height", crop_height),
      ("crop_width", crop_width),
    ]
    return try result("crop", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `crop_resize`, since iOS 15.
  public func crop_resize(
    x: any Argument,
    roi: (any Argument)? = nil,
    target_height: (any Argument)? = nil,
    target_width: (any Argument)? = nil,
    normalized_coordinates: (any Argument)? = nil,
    spatial_scale: (any Argument)? = nil,
    box_coordinate_mode: (any Argument)? = nil,
    sampling_mode: (any Argument)? = nil,
    pad_value: (any Argument)? = nil,
    boxes: (any Argument)? = nil,
    box_indices: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("roi", roi),
      ("target_height", target_height),
      ("target_width", target_width),
      ("normalized_coordinates", normalized_coordinates),
      ("spatial_scale", spatial_scale),
      ("box_coordinate_mode", box_coordinate_mode),
      ("sampling_mode", sampling_mode),
      ("pad_value", pad_value),
      ("boxes", boxes),
      ("box_indices", box_indices),
    ]
    return try result("crop_resize", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `cumsum`, since iOS 15.
  public func cumsum(
    x: any Argument,
    axis: (any Argument)? = nil,
    exclusive: (any Argument)? = nil,
    reverse: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axis", axis),
      ("exclusive", exclusive),
      ("reverse", reverse),
    ]
    return try result("cumsum", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `depth_to_space`, since iOS 15.
  public func depth_to_space(
    x: any Argument,
    block_size: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("block_size", block_size),
    ]
    return try result("depth_to_space", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `dequantize`, since iOS 17.
  public func dequantize(
    input: any Argument,
    scale: any Argument,
    zero_point: (any Argument)? = nil,
    axis: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("input", input),
      ("zero_point", zero_point),
      ("scale", scale),
      ("axis", axis),
    ]
    return try result("dequantize", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `einsum`, since iOS 15.
  public func einsum(
    values: any Argument,
    equation: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("values", values),
      ("equation", equation),
    ]
    return try result("einsum", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `elu`, since iOS 15.
  public func elu(
    x: any Argument,
    alpha: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
    ]
    return try result("elu", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `equal`, since iOS 15.
  public func equal(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("equal", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `erf`, since iOS 15.
  public func erf(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("erf", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `exp`, since iOS 15.
  public func exp(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("exp", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `exp2`, since iOS 15.
  public func exp2(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("exp2", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `expand_dims`, since iOS 15.
  public func expand_dims(
    x: any Argument,
    axes: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
    ]
    return try result("expand_dims", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `fill`, since iOS 15.
  public func fill(
    shape: any Argument,
    value: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("shape", shape),
      ("value", value),
    ]
    return try result("fill", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `fill_like`, since iOS 16.
  public func fill_like(
    ref_tensor: any Argument,
    value: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("ref_tensor", ref_tensor),
      ("value", value),
    ]
    return try result("fill_like", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `flatten2d`, since iOS 15.
  public func flatten2d(
    x: any Argument,
    axis: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axis", axis),
    ]
    return try result("flatten2d", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `floor`, since iOS 15.
  public func floor(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("floor", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `floor_div`, since iOS 15.
  public func floor_div(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("floor_div", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `gather`, since iOS 15.
  public func gather(
    x: any Argument,
    indices: any Argument,
    axis: (any Argument)? = nil,
    batch_dims: (any Argument)? = nil,
    validate_indices: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("indices", indices),
      ("axis", axis),
      ("batch_dims", batch_dims),
      ("validate_indices", validate_indices),
    ]
    return try result("gather", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `gather_along_axis`, since iOS 15.
  public func gather_along_axis(
    x: any Argument,
    indices: any Argument,
    axis: (any Argument)? = nil,
    validate_indices: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("indices", indices),
      ("axis", axis),
      ("validate_indices", validate_indices),
    ]
    return try result("gather_along_axis", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `gather_nd`, since iOS 15.
  public func gather_nd(
    x: any Argument,
    indices: any Argument,
    batch_dims: (any Argument)? = nil,
    validate_indices: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("indices", indices),
      ("batch_dims", batch_dims),
      ("validate_indices", validate_indices),
    ]
    return try result("gather_nd", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `gelu`, since iOS 15.
  public func gelu(
    x: any Argument,
    mode: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("mode", mode),
    ]
    return try result("gelu", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `greater`, since iOS 15.
  public func greater(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("greater", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `greater_equal`, since iOS 15.
  public func greater_equal(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("greater_equal", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `gru`, since iOS 15.
  public func gru(
    x: any Argument,
    initial_h: any Argument,
    weight_ih: any Argument,
    weight_hh: any Argument,
    bias: (any Argument)? = nil,
    direction: (any Argument)? = nil,
    output_sequence: (any Argument)? = nil,
    recurrent_activation: (any Argument)? = nil,
    activation: (any Argument)? = nil,
    reset_after: (any Argument)? = nil,
    input_bias: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [Value] {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("initial_h", initial_h),
      ("weight_ih", weight_ih),
      ("weight_hh", weight_hh),
      ("bias", bias),
      ("direction", direction),
      ("output_sequence", output_sequence),
      ("recurrent_activation", recurrent_activation),
      ("activation", activation),
      ("reset_after", reset_after),
      ("input_bias", input_bias),
    ]
    return try results("gru", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `identity`, since iOS 15.
  public func identity(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("identity", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `instance_norm`, since iOS 15.
  public func instance_norm(
    x: any Argument,
    gamma: (any Argument)? = nil,
    beta: (any Argument)? = nil,
    epsilon: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("gamma", gamma),
      ("beta", beta),
      ("epsilon", epsilon),
    ]
    return try result("instance_norm", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `inverse`, since iOS 15.
  public func inverse(
    x: any Argument,
    epsilon: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("epsilon", epsilon),
    ]
    return try result("inverse", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `l2_norm`, since iOS 15.
  public func l2_norm(
    x: any Argument,
    epsilon: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("epsilon", epsilon),
    ]
    return try result("l2_norm", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `l2_pool`, since iOS 15.
  public func l2_pool(
    x: any Argument,
    kernel_sizes: any Argument,
    pad_type: any Argument,
    strides: (any Argument)? = nil,
    pad: (any Argument)? = nil,
    ceil_mode: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("kernel_sizes", kernel_sizes),
      ("strides", strides),
      ("pad_type", pad_type),
      ("pad", pad),
      ("ceil_mode", ceil_mode),
    ]
    return try result("l2_pool", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `layer_norm`, since iOS 15.
  public func layer_norm(
    x: any Argument,
    axes: (any Argument)? = nil,
    gamma: (any Argument)? = nil,
    beta: (any Argument)? = nil,
    epsilon: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("gamma", gamma),
      ("beta", beta),
      ("epsilon", epsilon),
    ]
    return try result("layer_norm", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `leaky_relu`, since iOS 15.
  public func leaky_relu(
    x: any Argument,
    alpha: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
    ]
    return try result("leaky_relu", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `less`, since iOS 15.
  public func less(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("less", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `less_equal`, since iOS 15.
  public func less_equal(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("less_equal", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `linear`, since iOS 15.
  public func linear(
    x: any Argument,
    weight: any Argument,
    bias: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("weight", weight),
      ("bias", bias),
    ]
    return try result("linear", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `linear_activation`, since iOS 15.
  public func linear_activation(
    x: any Argument,
    alpha: any Argument,
    beta: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
      ("beta", beta),
    ]
    return try result("linear_activation", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `list_gather`, since iOS 15.
  public func list_gather(
    ls: any Argument,
    indices: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("ls", ls),
      ("indices", indices),
    ]
    return try result("list_gather", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `list_length`, since iOS 15.
  public func list_length(
    ls: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("ls", ls),
    ]
    return try result("list_length", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `list_read`, since iOS 15.
  public func list_read(
    ls: any Argument,
    index: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("ls", ls),
      ("index", index),
    ]
    return try result("list_read", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `list_scatter`, since iOS 15.
  public func list_scatter(
    ls: any Argument,
    indices: any Argument,
    value: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("ls", ls),
      ("indices", indices),
      ("value", value),
    ]
    return try result("list_scatter", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `list_write`, since iOS 15.
  public func list_write(
    ls: any Argument,
    index: any Argument,
    value: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("ls", ls),
      ("index", index),
      ("value", value),
    ]
    return try result("list_write", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `local_response_norm`, since iOS 15.
  public func local_response_norm(
    x: any Argument,
    size: any Argument,
    alpha: (any Argument)? = nil,
    beta: (any Argument)? = nil,
    k: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("size", size),
      ("alpha", alpha),
      ("beta", beta),
      ("k", k),
    ]
    return try result("local_response_norm", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `log`, since iOS 15.
  public func log(
    x: any Argument,
    epsilon: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("epsilon", epsilon),
    ]
    return try result("log", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `logical_and`, since iOS 15.
  public func logical_and(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("logical_and", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `logical_not`, since iOS 15.
  public func logical_not(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("logical_not", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `logical_or`, since iOS 15.
  public func logical_or(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("logical_or", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `logical_xor`, since iOS 15.
  public func logical_xor(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("logical_xor", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `lstm`, since iOS 15.
  public func lstm(
    x: any Argument,
    initial_h: any Argument,
    initial_c: any Argument,
    weight_ih: any Argument,
    weight_hh: any Argument,
    bias: (any Argument)? = nil,
    peephole: (any Argument)? = nil,
    weight_ih_back: (any Argument)? = nil,
    weight_hh_back: (any Argument)? = nil,
    bias_back: (any Argument)? = nil,
    peephole_back: (any Argument)? = nil,
    direction: (any Argument)? = nil,
    output_sequence: (any Argument)? = nil,
    recurrent_activation: (any Argument)? = nil,
    cell_activation: (any Argument)? = nil,
    activation: (any Argument)? = nil,
    clip: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [Value] {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("initial_h", initial_h),
      ("initial_c", initial_c),
      ("weight_ih", weight_ih),
      ("weight_hh", weight_hh),
      ("bias", bias),
      ("peephole", peephole),
      ("weight_ih_back", weight_ih_back),
      ("weight_hh_back", weight_hh_back),
      ("bias_back", bias_back),
      ("peephole_back", peephole_back),
      ("direction", direction),
      ("output_sequence", output_sequence),
      ("recurrent_activation", recurrent_activation),
      ("cell_activation", cell_activation),
      ("activation", activation),
      ("clip", clip),
    ]
    return try results("lstm", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `make_list`, since iOS 15.
  public func make_list(
    elem_shape: any Argument,
    init_length: (any Argument)? = nil,
    dynamic_length: (any Argument)? = nil,
    dtype: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("init_length", init_length),
      ("dynamic_length", dynamic_length),
      ("elem_shape", elem_shape),
      ("dtype", dtype),
    ]
    return try result("make_list", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `matmul`, since iOS 15.
  public func matmul(
    x: any Argument,
    y: any Argument,
    transpose_x: (any Argument)? = nil,
    transpose_y: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
      ("transpose_x", transpose_x),
      ("transpose_y", transpose_y),
    ]
    return try result("matmul", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `max_pool`, since iOS 15.
  public func max_pool(
    x: any Argument,
    kernel_sizes: any Argument,
    pad_type: any Argument,
    strides: (any Argument)? = nil,
    pad: (any Argument)? = nil,
    ceil_mode: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("kernel_sizes", kernel_sizes),
      ("strides", strides),
      ("pad_type", pad_type),
      ("pad", pad),
      ("ceil_mode", ceil_mode),
    ]
    return try result("max_pool", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `maximum`, since iOS 15.
  public func maximum(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("maximum", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `minimum`, since iOS 15.
  public func minimum(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("minimum", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `mod`, since iOS 15.
  public func mod(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("mod", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `mul`, since iOS 15.
  public func mul(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("mul", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `non_maximum_suppression`, since iOS 15.
  public func non_maximum_suppression(
    boxes: any Argument,
    scores: any Argument,
    iou_threshold: any Argument,
    max_boxes: any Argument,
    score_threshold: (any Argument)? = nil,
    per_class_suppression: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [Value] {
    let arguments: [(String, (any Argument)?)] = [
      ("boxes", boxes),
      ("scores", scores),
      ("iou_threshold", iou_threshold),
      ("score_threshold", score_threshold),
      ("max_boxes", max_boxes),
      ("per_class_suppression", per_class_suppression),
    ]
    return try results("non_maximum_suppression", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `non_zero`, since iOS 15.
  public func non_zero(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("non_zero", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `not_equal`, since iOS 15.
  public func not_equal(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("not_equal", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `one_hot`, since iOS 15.
  public func one_hot(
    indices: any Argument,
    one_hot_vector_size: any Argument,
    axis: (any Argument)? = nil,
    on_value: (any Argument)? = nil,
    off_value: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("indices", indices),
      ("one_hot_vector_size", one_hot_vector_size),
      ("axis", axis),
      ("on_value", on_value),
      ("off_value", off_value),
    ]
    return try result("one_hot", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `pad`, since iOS 15.
  public func pad(
    x: any Argument,
    pad: any Argument,
    mode: (any Argument)? = nil,
    constant_val: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("pad", pad),
      ("mode", mode),
      ("constant_val", constant_val),
    ]
    return try result("pad", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `pixel_shuffle`, since iOS 15.
  public func pixel_shuffle(
    x: any Argument,
    upscale_factor: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("upscale_factor", upscale_factor),
    ]
    return try result("pixel_shuffle", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `pixel_unshuffle`, since iOS 16.
  public func pixel_unshuffle(
    x: any Argument,
    downscale_factor: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("downscale_factor", downscale_factor),
    ]
    return try result("pixel_unshuffle", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `pow`, since iOS 15.
  public func pow(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("pow", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `prelu`, since iOS 15.
  public func prelu(
    x: any Argument,
    alpha: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
    ]
    return try result("prelu", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `quantize`, since iOS 17.
  public func quantize(
    input: any Argument,
    scale: any Argument,
    output_dtype: any Argument,
    zero_point: (any Argument)? = nil,
    axis: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("input", input),
      ("zero_point", zero_point),
      ("scale", scale),
      ("axis", axis),
      ("output_dtype", output_dtype),
    ]
    return try result("quantize", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `random_bernoulli`, since iOS 15.
  public func random_bernoulli(
    shape: any Argument,
    prob: (any Argument)? = nil,
    seed: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("shape", shape),
      ("prob", prob),
      ("seed", seed),
    ]
    return try result("random_bernoulli", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `random_categorical`, since iOS 15.
  public func random_categorical(
    x: any Argument,
    mode: (any Argument)? = nil,
    size: (any Argument)? = nil,
    seed: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("mode", mode),
      ("size", size),
      ("seed", seed),
    ]
    return try result("random_categorical", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `random_normal`, since iOS 15.
  public func random_normal(
    shape: any Argument,
    mean: (any Argument)? = nil,
    stddev: (any Argument)? = nil,
    seed: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("shape", shape),
      ("mean", mean),
      ("stddev", stddev),
      ("seed", seed),
    ]
    return try result("random_normal", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `random_uniform`, since iOS 15.
  public func random_uniform(
    shape: any Argument,
    low: (any Argument)? = nil,
    high: (any Argument)? = nil,
    seed: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("shape", shape),
      ("low", low),
      ("high", high),
      ("seed", seed),
    ]
    return try result("random_uniform", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `range_1d`, since iOS 15.
  public func range_1d(
    end: any Argument,
    start: any Argument,
    step: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("end", end),
      ("start", start),
      ("step", step),
    ]
    return try result("range_1d", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `read_state`, since iOS 18.
  public func read_state(
    input: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("input", input),
    ]
    return try result("read_state", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `real_div`, since iOS 15.
  public func real_div(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("real_div", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_argmax`, since iOS 15.
  public func reduce_argmax(
    x: any Argument,
    axis: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    output_dtype: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axis", axis),
      ("keep_dims", keep_dims),
      ("output_dtype", output_dtype),
    ]
    return try result("reduce_argmax", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_argmin`, since iOS 15.
  public func reduce_argmin(
    x: any Argument,
    axis: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    output_dtype: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axis", axis),
      ("keep_dims", keep_dims),
      ("output_dtype", output_dtype),
    ]
    return try result("reduce_argmin", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_l1_norm`, since iOS 15.
  public func reduce_l1_norm(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_l1_norm", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_l2_norm`, since iOS 15.
  public func reduce_l2_norm(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_l2_norm", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_log_sum`, since iOS 15.
  public func reduce_log_sum(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_log_sum", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_log_sum_exp`, since iOS 15.
  public func reduce_log_sum_exp(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_log_sum_exp", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_max`, since iOS 15.
  public func reduce_max(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_max", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_mean`, since iOS 15.
  public func reduce_mean(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_mean", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_min`, since iOS 15.
  public func reduce_min(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_min", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_prod`, since iOS 15.
  public func reduce_prod(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_prod", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_sum`, since iOS 15.
  public func reduce_sum(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_sum", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reduce_sum_square`, since iOS 15.
  public func reduce_sum_square(
    x: any Argument,
    axes: (any Argument)? = nil,
    keep_dims: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
      ("keep_dims", keep_dims),
    ]
    return try result("reduce_sum_square", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `relu`, since iOS 15.
  public func relu(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("relu", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `relu6`, since iOS 15.
  public func relu6(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("relu6", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `resample`, since iOS 15.
  public func resample(
    x: any Argument,
    coordinates: any Argument,
    sampling_mode: any Argument,
    padding_mode: any Argument,
    padding_value: any Argument,
    coordinates_mode: any Argument,
    align_corners: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("coordinates", coordinates),
      ("sampling_mode", sampling_mode),
      ("padding_mode", padding_mode),
      ("padding_value", padding_value),
      ("coordinates_mode", coordinates_mode),
      ("align_corners", align_corners),
    ]
    return try result("resample", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reshape`, since iOS 15.
  public func reshape(
    x: any Argument,
    shape: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("shape", shape),
    ]
    return try result("reshape", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reshape_like`, since iOS 16.
  public func reshape_like(
    x: any Argument,
    ref_tensors: any Argument,
    begins: any Argument,
    ends: any Argument,
    end_masks: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("ref_tensors", ref_tensors),
      ("begins", begins),
      ("ends", ends),
      ("end_masks", end_masks),
    ]
    return try result("reshape_like", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `resize`, since iOS 17.
  public func resize(
    x: any Argument,
    shape: any Argument,
    resized_dims: any Argument,
    interpolation_mode: (any Argument)? = nil,
    sampling_mode: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("shape", shape),
      ("resized_dims", resized_dims),
      ("interpolation_mode", interpolation_mode),
      ("sampling_mode", sampling_mode),
    ]
    return try result("resize", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `resize_bilinear`, since iOS 15.
  public func resize_bilinear(
    x: any Argument,
    target_size_height: (any Argument)? = nil,
    target_size_width: (any Argument)? = nil,
    sampling_mode: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("target_size_height", target_size_height),
      ("target_size_width", target_size_width),
      ("sampling_mode", sampling_mode),
    ]
    return try result("resize_bilinear", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `resize_nearest_neighbor`, since iOS 15.
  public func resize_nearest_neighbor(
    x: any Argument,
    target_size_height: any Argument,
    target_size_width: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("target_size_height", target_size_height),
      ("target_size_width", target_size_width),
    ]
    return try result("resize_nearest_neighbor", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reverse`, since iOS 15.
  public func reverse(
    x: any Argument,
    axes: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
    ]
    return try result("reverse", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `reverse_sequence`, since iOS 15.
  public func reverse_sequence(
    x: any Argument,
    lengths: any Argument,
    seq_axis: (any Argument)? = nil,
    batch_axis: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("lengths", lengths),
      ("seq_axis", seq_axis),
      ("batch_axis", batch_axis),
    ]
    return try result("reverse_sequence", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `rnn`, since iOS 15.
  public func rnn(
    x: any Argument,
    initial_h: any Argument,
    weight_ih: any Argument,
    weight_hh: any Argument,
    bias: (any Argument)? = nil,
    direction: (any Argument)? = nil,
    output_sequence: (any Argument)? = nil,
    activation: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [Value] {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("initial_h", initial_h),
      ("weight_ih", weight_ih),
      ("weight_hh", weight_hh),
      ("bias", bias),
      ("direction", direction),
      ("output_sequence", output_sequence),
      ("activation", activation),
    ]
    return try results("rnn", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `round`, since iOS 15.
  public func round(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("round", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `rsqrt`, since iOS 15.
  public func rsqrt(
    x: any Argument,
    epsilon: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("epsilon", epsilon),
    ]
    return try result("rsqrt", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `scaled_dot_product_attention`, since iOS 18.
  public func scaled_dot_product_attention(
    query: any Argument,
    key: any Argument,
    value: any Argument,
    attn_mask: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("query", query),
      ("key", key),
      ("value", value),
      ("attn_mask", attn_mask),
    ]
    return try result("scaled_dot_product_attention", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `scaled_tanh`, since iOS 15.
  public func scaled_tanh(
    x: any Argument,
    alpha: any Argument,
    beta: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
      ("beta", beta),
    ]
    return try result("scaled_tanh", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `scatter`, since iOS 15.
  public func scatter(
    data: any Argument,
    indices: any Argument,
    updates: any Argument,
    axis: (any Argument)? = nil,
    mode: (any Argument)? = nil,
    validate_indices: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("data", data),
      ("indices", indices),
      ("updates", updates),
      ("axis", axis),
      ("mode", mode),
      ("validate_indices", validate_indices),
    ]
    return try result("scatter", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `scatter_along_axis`, since iOS 15.
  public func scatter_along_axis(
    data: any Argument,
    indices: any Argument,
    updates: any Argument,
    axis: (any Argument)? = nil,
    mode: (any Argument)? = nil,
    validate_indices: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("data", data),
      ("indices", indices),
      ("updates", updates),
      ("axis", axis),
      ("mode", mode),
      ("validate_indices", validate_indices),
    ]
    return try result("scatter_along_axis", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `scatter_nd`, since iOS 15.
  public func scatter_nd(
    data: any Argument,
    indices: any Argument,
    updates: any Argument,
    mode: (any Argument)? = nil,
    validate_indices: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("data", data),
      ("indices", indices),
      ("updates", updates),
      ("mode", mode),
      ("validate_indices", validate_indices),
    ]
    return try result("scatter_nd", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `select`, since iOS 15.
  public func select(
    cond: any Argument,
    a: any Argument,
    b: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("cond", cond),
      ("a", a),
      ("b", b),
    ]
    return try result("select", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `shape`, since iOS 15.
  public func shape(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("shape", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `sigmoid`, since iOS 15.
  public func sigmoid(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("sigmoid", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `sigmoid_hard`, since iOS 15.
  public func sigmoid_hard(
    x: any Argument,
    alpha: any Argument,
    beta: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
      ("beta", beta),
    ]
    return try result("sigmoid_hard", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `sign`, since iOS 15.
  public func sign(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("sign", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `silu`, since iOS 15.
  public func silu(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("silu", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `sin`, since iOS 15.
  public func sin(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("sin", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `sinh`, since iOS 15.
  public func sinh(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("sinh", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `slice_by_index`, since iOS 15.
  public func slice_by_index(
    x: any Argument,
    begin: any Argument,
    end: any Argument,
    stride: (any Argument)? = nil,
    begin_mask: (any Argument)? = nil,
    end_mask: (any Argument)? = nil,
    squeeze_mask: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("begin", begin),
      ("end", end),
      ("stride", stride),
      ("begin_mask", begin_mask),
      ("end_mask", end_mask),
      ("squeeze_mask", squeeze_mask),
    ]
    return try result("slice_by_index", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `slice_by_size`, since iOS 15.
  public func slice_by_size(
    x: any Argument,
    begin: any Argument,
    size: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("begin", begin),
      ("size", size),
    ]
    return try result("slice_by_size", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `slice_update`, since iOS 18.
  public func slice_update(
    x: any Argument,
    update: any Argument,
    begin: any Argument,
    end: any Argument,
    stride: (any Argument)? = nil,
    begin_mask: (any Argument)? = nil,
    end_mask: (any Argument)? = nil,
    squeeze_mask: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("update", update),
      ("begin", begin),
      ("end", end),
      ("stride", stride),
      ("begin_mask", begin_mask),
      ("end_mask", end_mask),
      ("squeeze_mask", squeeze_mask),
    ]
    return try result("slice_update", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `sliding_windows`, since iOS 15.
  public func sliding_windows(
    x: any Argument,
    axis: any Argument,
    size: any Argument,
    stride: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axis", axis),
      ("size", size),
      ("stride", stride),
    ]
    return try result("sliding_windows", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `softmax`, since iOS 15.
  public func softmax(
    x: any Argument,
    axis: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axis", axis),
    ]
    return try result("softmax", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `softplus`, since iOS 15.
  public func softplus(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("softplus", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `softplus_parametric`, since iOS 15.
  public func softplus_parametric(
    x: any Argument,
    alpha: any Argument,
    beta: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
      ("beta", beta),
    ]
    return try result("softplus_parametric", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `softsign`, since iOS 15.
  public func softsign(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("softsign", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `space_to_batch`, since iOS 15.
  public func space_to_batch(
    x: any Argument,
    block_shape: any Argument,
    paddings: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("block_shape", block_shape),
      ("paddings", paddings),
    ]
    return try result("space_to_batch", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `space_to_depth`, since iOS 15.
  public func space_to_depth(
    x: any Argument,
    block_size: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("block_size", block_size),
    ]
    return try result("space_to_depth", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `split`, since iOS 15.
  public func split(
    x: any Argument,
    axis: any Argument,
    num_splits: (any Argument)? = nil,
    split_sizes: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [Value] {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("num_splits", num_splits),
      ("split_sizes", split_sizes),
      ("axis", axis),
    ]
    return try results("split", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `sqrt`, since iOS 15.
  public func sqrt(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("sqrt", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `square`, since iOS 15.
  public func square(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("square", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `squeeze`, since iOS 15.
  public func squeeze(
    x: any Argument,
    axes: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("axes", axes),
    ]
    return try result("squeeze", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `stack`, since iOS 15.
  public func stack(
    values: any Argument,
    axis: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("values", values),
      ("axis", axis),
    ]
    return try result("stack", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `sub`, since iOS 15.
  public func sub(
    x: any Argument,
    y: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("y", y),
    ]
    return try result("sub", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `tan`, since iOS 15.
  public func tan(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("tan", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `tanh`, since iOS 15.
  public func tanh(
    x: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
    ]
    return try result("tanh", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `threshold`, since iOS 15.
  public func threshold(
    x: any Argument,
    alpha: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
    ]
    return try result("threshold", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `thresholded_relu`, since iOS 15.
  public func thresholded_relu(
    x: any Argument,
    alpha: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("alpha", alpha),
    ]
    return try result("thresholded_relu", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `tile`, since iOS 15.
  public func tile(
    x: any Argument,
    reps: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("reps", reps),
    ]
    return try result("tile", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `topk`, since iOS 15.
  public func topk(
    x: any Argument,
    k: (any Argument)? = nil,
    axis: (any Argument)? = nil,
    ascending: (any Argument)? = nil,
    sort: (any Argument)? = nil,
    return_indices: (any Argument)? = nil,
    output_indices_dtype: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [Value] {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("k", k),
      ("axis", axis),
      ("ascending", ascending),
      ("sort", sort),
      ("return_indices", return_indices),
      ("output_indices_dtype", output_indices_dtype),
    ]
    return try results("topk", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `transpose`, since iOS 15.
  public func transpose(
    x: any Argument,
    perm: any Argument,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("perm", perm),
    ]
    return try result("transpose", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `upsample_bilinear`, since iOS 15.
  public func upsample_bilinear(
    x: any Argument,
    scale_factor_height: (any Argument)? = nil,
    scale_factor_width: (any Argument)? = nil,
    align_corners: (any Argument)? = nil,
    half_pixel_centers: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("scale_factor_height", scale_factor_height),
      ("scale_factor_width", scale_factor_width),
      ("align_corners", align_corners),
      ("half_pixel_centers", half_pixel_centers),
    ]
    return try result("upsample_bilinear", arguments, name, CallSite(file: file, line: line))
  }

  /// MIL's `upsample_nearest_neighbor`, since iOS 15.
  public func upsample_nearest_neighbor(
    x: any Argument,
    scale_factor_height: (any Argument)? = nil,
    scale_factor_width: (any Argument)? = nil,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let arguments: [(String, (any Argument)?)] = [
      ("x", x),
      ("scale_factor_height", scale_factor_height),
      ("scale_factor_width", scale_factor_width),
    ]
    return try result("upsample_nearest_neighbor", arguments, name, CallSite(file: file, line: line))
  }
}
