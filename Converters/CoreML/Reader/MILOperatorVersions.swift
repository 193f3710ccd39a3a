/// The operators of ML programs as Apple's converters write them, from iOS 15 to iOS 18, by MIL's groups: since which
/// system there is one, and its parameters.
enum MILOperatorVersions {
  struct Row: Sendable {
    let group: String, name: String, since: Int
    let parameters: [Parameter]
  }

  struct Parameter: Sendable {
    let name: String
    /// Whether it may be left out where there is one.
    let isOptional: Bool
    /// The first system that has it, where that is not the operator's, and the last, where later ones have it not.
    let since: Int?, until: Int?

    /// Whether a call has it in all systems.
    var isRequired: Bool { !isOptional && since == nil && until == nil }
  }

  /// By name.
  static let rows: [Row] = groups.flatMap { group, operators in
    operators.split(separator: "\n").map { Row($0, group) }
  }.sorted { $0.name < $1.name }

  /// A line an operator: its name, its first system, its parameters. A parameter that may be left out ends with `?`;
  /// `@17` is one since iOS 17, `-16` one up to iOS 16.
  private static let groups: [(String, String)] = [
    (
      "Activation",
      """
      clamped_relu 15 x alpha beta
      elu 15 x alpha
      gelu 15 x mode?
      leaky_relu 15 x alpha
      linear_activation 15 x alpha beta
      prelu 15 x alpha
      relu 15 x
      relu6 15 x
      scaled_tanh 15 x alpha beta
      sigmoid 15 x
      sigmoid_hard 15 x alpha beta
      silu 15 x
      softmax 15 x axis?
      softplus 15 x
      softplus_parametric 15 x alpha beta
      softsign 15 x
      thresholded_relu 15 x alpha
      """
    ),
    (
      "Classify",
      """
      classify 15 probabilities classes
      """
    ),
    (
      "Constexpr",
      """
      constexpr_affine_dequantize 16 quantized_data zero_point scale axis
      constexpr_blockwise_shift_scale 18 data scale offset?
      constexpr_cast 16 source_val output_dtype
      constexpr_lut_to_dense 16 indices lut shape-17 vector_axis?@18
      constexpr_lut_to_sparse 18 indices_mask indices_nonzero_data lut vector_axis?
      constexpr_sparse_blockwise_shift_scale 18 data_mask nonzero_data scale offset?
      constexpr_sparse_to_dense 16 nonzero_data mask shape-17
      """
    ),
    (
      "ControlFlow",
      """
      cond 15 pred
      list_gather 15 ls indices
      list_length 15 ls
      list_read 15 ls index
      list_scatter 15 ls indices value
      list_write 15 ls index value
      make_list 15 init_length? dynamic_length? elem_shape dtype?
      select 15 cond a b
      while_loop 15 loop_vars
      """
    ),
    (
      "Conv",
      """
      conv 15 x weight bias? strides? pad_type? pad? dilations? groups?
      conv_quantized 15 x weight bias? quantization_type nbits? quant_scale quant_bias strides? pad_type? pad? \
      dilations? groups?
      conv_transpose 15 x weight bias? pad? output_shape? pad_type? strides? dilations? groups?
      """
    ),
    (
      "ElementwiseBinary",
      """
      add 15 x y
      equal 15 x y
      floor_div 15 x y
      greater 15 x y
      greater_equal 15 x y
      less 15 x y
      less_equal 15 x y
      logical_and 15 x y
      logical_or 15 x y
      logical_xor 15 x y
      maximum 15 x y
      minimum 15 x y
      mod 15 x y
      mul 15 x y
      not_equal 15 x y
      pow 15 x y
      real_div 15 x y
      sub 15 x y
      """
    ),
    (
      "ElementwiseUnary",
      """
      abs 15 x
      acos 15 x
      asin 15 x
      atan 15 x
      atanh 15 x
      cast 15 x dtype
      ceil 15 x
      clip 15 x alpha beta
      cos 15 x
      cosh 15 x
      erf 15 x
      exp 15 x
      exp2 15 x
      floor 15 x
      inverse 15 x epsilon?
      log 15 x epsilon?
      logical_not 15 x
      round 15 x
      rsqrt 15 x epsilon?
      sign 15 x
      sin 15 x
      sinh 15 x
      sqrt 15 x
      square 15 x
      tan 15 x
      tanh 15 x
      threshold 15 x alpha
      """
    ),
    (
      "ImageResizing",
      """
      affine 15 x transform_matrix output_height output_width sampling_mode padding_mode padding_value \
      coordinates_mode align_corners
      crop 15 x crop_height crop_width
      crop_resize 15 x roi-16 target_height? target_width? normalized_coordinates? spatial_scale? \
      box_coordinate_mode? sampling_mode? pad_value?@16 boxes@17 box_indices?@17
      resample 15 x coordinates sampling_mode padding_mode padding_value coordinates_mode align_corners
      resize 17 x shape resized_dims interpolation_mode? sampling_mode?
      resize_bilinear 15 x target_size_height? target_size_width? sampling_mode?
      resize_nearest_neighbor 15 x target_size_height target_size_width
      upsample_bilinear 15 x scale_factor_height? scale_factor_width? align_corners? half_pixel_centers?@16
      upsample_nearest_neighbor 15 x scale_factor_height? scale_factor_width?
      """
    ),
    (
      "Linear",
      """
      einsum 15 values equation
      linear 15 x weight bias?
      matmul 15 x y transpose_x? transpose_y?
      """
    ),
    (
      "Normalization",
      """
      batch_norm 15 x mean variance gamma? beta? epsilon?
      instance_norm 15 x gamma? beta? epsilon?
      l2_norm 15 x epsilon?
      layer_norm 15 x axes? gamma? beta? epsilon?
      local_response_norm 15 x size alpha? beta? k?
      """
    ),
    (
      "Pool",
      """
      avg_pool 15 exclude_padding_from_average? x kernel_sizes strides? pad_type pad? ceil_mode?
      l2_pool 15 x kernel_sizes strides? pad_type pad? ceil_mode?
      max_pool 15 x kernel_sizes strides? pad_type pad? ceil_mode?
      """
    ),
    (
      "Quantization",
      """
      dequantize 17 input zero_point? scale axis?
      quantize 17 input zero_point? scale axis? output_dtype
      """
    ),
    (
      "Random",
      """
      random_bernoulli 15 shape prob? seed?
      random_categorical 15 x mode? size? seed?
      random_normal 15 shape mean? stddev? seed?
      random_uniform 15 shape low? high? seed?
      """
    ),
    (
      "Recurrent",
      """
      gru 15 x initial_h weight_ih weight_hh bias? direction? output_sequence? recurrent_activation? activation? \
      reset_after?@18 input_bias?@18
      lstm 15 x initial_h initial_c weight_ih weight_hh bias? peephole? weight_ih_back? weight_hh_back? bias_back? \
      peephole_back? direction? output_sequence? recurrent_activation? cell_activation? activation? clip?
      rnn 15 x initial_h weight_ih weight_hh bias? direction? output_sequence? activation?
      """
    ),
    (
      "Reduction",
      """
      reduce_argmax 15 x axis? keep_dims? output_dtype?@17
      reduce_argmin 15 x axis? keep_dims? output_dtype?@17
      reduce_l1_norm 15 x axes? keep_dims?
      reduce_l2_norm 15 x axes? keep_dims?
      reduce_log_sum 15 x axes? keep_dims?
      reduce_log_sum_exp 15 x axes? keep_dims?
      reduce_max 15 x axes? keep_dims?
      reduce_mean 15 x axes? keep_dims?
      reduce_min 15 x axes? keep_dims?
      reduce_prod 15 x axes? keep_dims?
      reduce_sum 15 x axes? keep_dims?
      reduce_sum_square 15 x axes? keep_dims?
      """
    ),
    (
      "ScatterGather",
      """
      gather 15 x indices axis? batch_dims?@16 validate_indices?@17
      gather_along_axis 15 x indices axis? validate_indices?@17
      gather_nd 15 x indices batch_dims?@16 validate_indices?@17
      scatter 15 data indices updates axis? mode? validate_indices?@17
      scatter_along_axis 15 data indices updates axis? mode? validate_indices?@17
      scatter_nd 15 data indices updates mode? validate_indices?@17
      """
    ),
    (
      "States",
      """
      read_state 18 input
      """
    ),
    (
      "TensorOperation",
      """
      argsort 15 x axis? ascending?
      band_part 15 x lower? upper?
      concat 15 values axis interleave?
      cumsum 15 x axis? exclusive? reverse?
      fill 15 shape value?
      fill_like 16 ref_tensor value?
      flatten2d 15 x axis?
      identity 15 x
      non_maximum_suppression 15 boxes scores iou_threshold score_threshold-16 max_boxes per_class_suppression?
      non_zero 15 x
      one_hot 15 indices one_hot_vector_size axis? on_value? off_value?
      pad 15 x pad mode? constant_val?
      range_1d 15 end start step
      shape 15 x
      split 15 x num_splits? split_sizes? axis
      stack 15 values axis
      tile 15 x reps
      topk 15 x k? axis? ascending? sort?@16 return_indices?@16 output_indices_dtype?@17
      """
    ),
    (
      "TensorTransformation",
      """
      batch_to_space 15 x block_shape crops
      depth_to_space 15 x block_size
      expand_dims 15 x axes
      pixel_shuffle 15 x upscale_factor
      pixel_unshuffle 16 x downscale_factor
      reshape 15 x shape
      reshape_like 16 x ref_tensors begins ends end_masks
      reverse 15 x axes?
      reverse_sequence 15 x lengths seq_axis? batch_axis?
      slice_by_index 15 x begin end stride? begin_mask? end_mask? squeeze_mask?
      slice_by_size 15 x begin size
      slice_update 18 x update begin end stride? begin_mask? end_mask? squeeze_mask?
      sliding_windows 15 x axis size stride?
      space_to_batch 15 x block_shape paddings
      space_to_depth 15 x block_size
      squeeze 15 x axes?
      transpose 15 x perm
      """
    ),
    (
      "Transformers",
      """
      scaled_dot_product_attention 18 query key value attn_mask?
      """
    ),
  ]
}

extension MILOperatorVersions.Row {
  fileprivate init(_ line: Substring, _ group: String) {
    let words = line.split(separator: " ")
    (self.group, name, since) = (group, String(words[0]), Int(words[1]) ?? 0)
    parameters = words.dropFirst(2).map { .init($0) }
  }
}

extension MILOperatorVersions.Parameter {
  fileprivate init(_ word: Substring) {
    name = String(word.prefix { !"?@-".contains($0) })
    let marks = word.dropFirst(name.count)
    (since, until) = (Self.system("@", marks), Self.system("-", marks))
    isOptional = marks.contains("?")
  }

  private static func system(_ mark: Character, _ marks: Substring) -> Int? {
    marks.firstIndex(of: mark).flatMap { Int(marks[marks.index(after: $0)...].prefix(2)) }
  }
}
