import MLCCore
import MLCGraph
import MLCOps

/// Operators whose form in MIL is not their schema, or that stand for others.
enum MILImportTable {
  typealias Rule = @Sendable (MILNode, inout MILContext) throws(Diagnostic) -> [ValueID]

  static func rule(_ type: String) -> Rule? { rules[type] }

  private static let rules: [String: Rule] = [
    "affine": { (node, context) throws(Diagnostic) in try importAffine(node, &context) },
    "argsort": { (node, context) throws(Diagnostic) in try importArgsort(node, &context) },
    "batch_to_space": { (node, context) throws(Diagnostic) in try importBatchToSpace(node, &context) },
    "clamped_relu": { (node, context) throws(Diagnostic) in try importClampedRelu(node, &context) },
    "classify": { (node, context) throws(Diagnostic) in try importClassify(node, &context) },
    "concat": { (node, context) throws(Diagnostic) in try importConcat(node, &context) },
    "conv_quantized": { (node, context) throws(Diagnostic) in try importConvQuantized(node, &context) },
    "coreml_update_state": { (node, context) throws(Diagnostic) in
      try importWriteState(node, &context, value: "value")
    },
    "crop": { (node, context) throws(Diagnostic) in try importCrop(node, &context) },
    "crop_resize": { (node, context) throws(Diagnostic) in try importCropResize(node, &context) },
    "dequantize": { (node, context) throws(Diagnostic) in try importDequantize(node, &context) },
    "einsum": { (node, context) throws(Diagnostic) in try importEinsum(node, &context) },
    "fill": { (node, context) throws(Diagnostic) in try importFill(node, &context) },
    "fill_like": { (node, context) throws(Diagnostic) in try importFillLike(node, &context) },
    "flatten2d": { (node, context) throws(Diagnostic) in try importFlatten2D(node, &context) },
    "gru": { (node, context) throws(Diagnostic) in try importGRU(node, &context) },
    "l2_norm": { (node, context) throws(Diagnostic) in try importL2Norm(node, &context) },
    "l2_pool": { (node, context) throws(Diagnostic) in try importL2Pool(node, &context) },
    "linear_activation": { (node, context) throws(Diagnostic) in try importLinearActivation(node, &context) },
    "list_gather": { (node, context) throws(Diagnostic) in try importListGather(node, &context) },
    "list_length": { (node, context) throws(Diagnostic) in try importListLength(node, &context) },
    "list_read": { (node, context) throws(Diagnostic) in try importListRead(node, &context) },
    "list_scatter": { (node, context) throws(Diagnostic) in try importListScatter(node, &context) },
    "list_write": { (node, context) throws(Diagnostic) in try importListWrite(node, &context) },
    "make_list": { (node, context) throws(Diagnostic) in try importMakeList(node, &context) },
    "non_maximum_suppression": { (node, context) throws(Diagnostic) in try importNonMaximumSuppression(node, &context)
    },
    "one_hot": { (node, context) throws(Diagnostic) in try importOneHot(node, &context) },
    "prelu": { (node, context) throws(Diagnostic) in try importPrelu(node, &context) },
    "quantize": { (node, context) throws(Diagnostic) in try importQuantize(node, &context) },
    "random_bernoulli": { (node, context) throws(Diagnostic) in try importRandomBernoulli(node, &context) },
    "random_categorical": { (node, context) throws(Diagnostic) in try importRandomCategorical(node, &context) },
    "random_normal": { (node, context) throws(Diagnostic) in try importRandomNormal(node, &context) },
    "random_uniform": { (node, context) throws(Diagnostic) in try importRandomUniform(node, &context) },
    "read_state": { (node, context) throws(Diagnostic) in [try importReadState(node, &context)] },
    "resample": { (node, context) throws(Diagnostic) in try importResample(node, &context) },
    "reshape_like": { (node, context) throws(Diagnostic) in try importReshapeLike(node, &context) },
    "resize": { (node, context) throws(Diagnostic) in try importResize(node, &context) },
    "resize_bilinear": { (node, context) throws(Diagnostic) in try importResizeBilinear(node, &context) },
    "resize_nearest_neighbor": { (node, context) throws(Diagnostic) in try importResizeNearest(node, &context) },
    "reverse_sequence": { (node, context) throws(Diagnostic) in try importReverseSequence(node, &context) },
    "scaled_tanh": { (node, context) throws(Diagnostic) in try importScaledTanh(node, &context) },
    "scatter": { (node, context) throws(Diagnostic) in try importScatter(node, &context) },
    "slice_by_size": { (node, context) throws(Diagnostic) in try importSliceBySize(node, &context) },
    "slice_update": { (node, context) throws(Diagnostic) in try importSliceUpdate(node, &context) },
    "sliding_windows": { (node, context) throws(Diagnostic) in try importSlidingWindows(node, &context) },
    "softplus_parametric": { (node, context) throws(Diagnostic) in try importSoftplusParametric(node, &context) },
    "space_to_batch": { (node, context) throws(Diagnostic) in try importSpaceToBatch(node, &context) },
    "stack": { (node, context) throws(Diagnostic) in try importStack(node, &context) },
    "threshold": { (node, context) throws(Diagnostic) in try importThreshold(node, &context) },
    "thresholded_relu": { (node, context) throws(Diagnostic) in try importThresholdedRelu(node, &context) },
    "topk": { (node, context) throws(Diagnostic) in try importTopK(node, &context) },
    "upsample_bilinear": { (node, context) throws(Diagnostic) in try importUpsampleBilinear(node, &context) },
    "upsample_nearest_neighbor": { (node, context) throws(Diagnostic) in try importUpsampleNearest(node, &context) },
    "write_state": { (node, context) throws(Diagnostic) in
      try importWriteState(node, &context, value: "data")
    },
  ]
}
