import MLCCore
import MLCGraph
import MLCOps

/// Boxes before scores on the last axes; since iOS 17 the other way, without a threshold of scores and without counts.
func importNonMaximumSuppression(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  var (boxes, scores) = (try context.value(node, "boxes"), try context.value(node, "scores"))
  let isTurned = node.arguments["score_threshold"] == nil
  let turn = Transpose([0, 2, 1])
  if isTurned { (boxes, scores) = (try context.apply(turn, boxes), try context.apply(turn, scores)) }
  guard let overlap = try node.number("iou_threshold"), let count = try node.integer("max_boxes") else {
    throw Diagnostic("coreml.parameter", "'iou_threshold' or 'max_boxes' is missing")
  }
  let threshold = try node.number("score_threshold").map { context.scalar($0, like: scores) }
  let suppression = SuppressedBoxes(
    overlap: context.scalar(overlap, like: boxes),
    scoreThreshold: threshold,
    count: count,
    perClass: try node.flag("per_class_suppression")
  )
  var results = try suppression.append(boxes, scores, to: &context)
  guard isTurned else { return results }
  for index in 0..<2 { results[index] = try context.apply(turn, results[index]) }
  return results
}
