import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `branch`: one network or another, as the input is 0 or not.
enum NNBranch: NNLayerRule {
  static let kinds = ["branch"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.branch
    let condition = try context.condition(try context.input())
    try context.branch(on: condition, [spec.ifBranch.layers[...], spec.elseBranch.layers[...]])
    return []
  }
}

/// `copy`: a value under a name that may have had another before.
enum NNCopy: NNLayerRule {
  static let kinds = ["copy"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    [try context.emit(Identity(), try context.input())]
  }
}

/// `loopBreak` and `loopContinue`: the rest of the round is left out, of the loop too.
enum NNLoopEnd: NNLayerRule {
  static let kinds = ["loopBreak", "loopContinue"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    guard context.values[NNWrites.goesOn] != nil else { throw NNContext.wrong("the layer is in no loop") }
    context.values[NNWrites.goesOn] = context.constant(.scalar(.bool, 0), "goes_on")
    if layer.kind == "loopBreak" { context.values[NNWrites.isLeft] = context.constant(.scalar(.bool, 1), "is_left") }
    return []
  }
}
