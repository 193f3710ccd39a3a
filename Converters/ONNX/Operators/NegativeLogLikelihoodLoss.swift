import MLCCore
import MLCGraph
import MLCOps

/// ONNX `NegativeLogLikelihoodLoss` and `SoftmaxCrossEntropyLoss`: the logarithm of the probability of each target,
/// negated, weighted, then summed or averaged. The second takes scores and gives the logarithms too.
package enum ONNXNegativeLogLikelihoodLoss: ONNXOperator {
  package static let types = ["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"]
  package static var sinceOpset: Int { 12 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var (x, target) = (try context.required(0), try context.required(1))
    let (rank, isScored) = (context.fact(x).rank, node.opType == "SoftmaxCrossEntropyLoss")
    guard rank >= 2, context.fact(target).rank == rank - 1, context.fact(target).dtype.isInteger else {
      let types = "\(context.fact(x).type) and \(context.fact(target).type)"
      throw Diagnostic("onnx.loss", "\(types) are no probabilities of classes and their targets")
    }
    if isScored { x = try context.emit(LogSoftmax(axis: 1), x) }
    let logarithms = x
    var weights = context.input(2)
    var kept: ValueID?
    if let ignored = try node.int("ignore_index") {
      let index = context.constant(Tensor(context.fact(target).dtype, [], [ignored]), "ignored")
      kept = try context.emit(NotEqual(), target, index)
      target = try context.emit(Select(), kept, target, try context.number(0, like: target))
    }
    let places = try context.emit(ExpandDims([1]), target)
    let chosen = try context.emit(Squeeze([1]), try context.emit(GatherAlongAxis(axis: 1), x, places))
    var loss = try context.emit(Neg(), chosen)
    if let classes = weights { weights = try context.emit(Gather(axis: 0), classes, target) }
    if let kept {
      let one = try context.number(1, like: loss)
      weights = try context.emit(Select(), kept, weights ?? one, try context.number(0, like: loss))
    }
    if let weights { loss = try context.emit(Mul(), loss, weights) }
    let result = try reduced(loss, weights, try node.string("reduction", default: "mean"), in: &context)
    return isScored ? [result, logarithms] : [result]
  }

  private static func reduced(_ loss: ValueID, _ weights: ValueID?, _ how: String, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    switch how {
    case "none": return loss
    case "sum": return try context.emit(ReduceSum(), loss)
    case "mean":
      guard let weights else { return try context.emit(ReduceMean(), loss) }
      return try context.emit(RealDiv(), try context.emit(ReduceSum(), loss), try context.emit(ReduceSum(), weights))
    default: throw Diagnostic("onnx.loss", "there is no reduction '\(how)'")
    }
  }
}
