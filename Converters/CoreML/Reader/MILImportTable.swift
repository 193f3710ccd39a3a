import MLCCore
import MLCGraph
import MLCOps

/// Operators whose form in MIL is not their schema, or that stand for others.
enum MILImportTable {
  typealias Rule = @Sendable (MILNode, inout MILContext) throws(Diagnostic) -> [ValueID]

  static func rule(_ type: String) -> Rule? { rules[type] }

  private static let rules: [String: Rule] = [
    "argsort": { (node, context) throws(Diagnostic) in try importArgsort(node, &context) },
    "coreml_update_state": { (node, context) throws(Diagnostic) in
      try importWriteState(node, &context, state: "state", value: "value")
    },
    "clamped_relu": { (node, context) throws(Diagnostic) in try importClampedRelu(node, &context) },
    "concat": { (node, context) throws(Diagnostic) in try importConcat(node, &context) },
    "einsum": { (node, context) throws(Diagnostic) in try importEinsum(node, &context) },
    "gru": { (node, context) throws(Diagnostic) in try importGRU(node, &context) },
    "l2_norm": { (node, context) throws(Diagnostic) in try importL2Norm(node, &context) },
    "linear_activation": { (node, context) throws(Diagnostic) in try importLinearActivation(node, &context) },
    "one_hot": { (node, context) throws(Diagnostic) in try importOneHot(node, &context) },
    "prelu": { (node, context) throws(Diagnostic) in try importPrelu(node, &context) },
    "read_state": { (node, context) throws(Diagnostic) in [try importReadState(node, &context)] },
    "resize_bilinear": { (node, context) throws(Diagnostic) in try importResizeBilinear(node, &context) },
    "resize_nearest_neighbor": { (node, context) throws(Diagnostic) in try importResizeNearest(node, &context) },
    "scaled_tanh": { (node, context) throws(Diagnostic) in try importScaledTanh(node, &context) },
    "scatter": { (node, context) throws(Diagnostic) in try importScatter(node, &context) },
    "slice_by_size": { (node, context) throws(Diagnostic) in try importSliceBySize(node, &context) },
    "stack": { (node, context) throws(Diagnostic) in try importStack(node, &context) },
    "threshold": { (node, context) throws(Diagnostic) in try importThreshold(node, &context) },
    "topk": { (node, context) throws(Diagnostic) in try importTopK(node, &context) },
    "upsample_bilinear": { (node, context) throws(Diagnostic) in try importUpsampleBilinear(node, &context) },
    "upsample_nearest_neighbor": { (node, context) throws(Diagnostic) in try importUpsampleNearest(node, &context) },
    "write_state": { (node, context) throws(Diagnostic) in
      try importWriteState(node, &context, state: "input", value: "data")
    },
  ]
}
