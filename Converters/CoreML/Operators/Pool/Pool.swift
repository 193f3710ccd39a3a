import MLCCore
import MLCGraph
import MLCOps

extension MaxPool: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.fillWindow(axes: context.result().rank - 2, dilations: false)
    call.drop("dilations", unless: dilations.allSatisfy { $0 == 1 })
    call.drop("return_indices", unless: !returnIndices)
    call["column_major_indices"] = nil
    call.checkCeiling(ceilMode, strides: strides)
  }
}

extension AvgPool: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.fillWindow(axes: context.result().rank - 2, dilations: false)
    call.drop("dilations", unless: dilations.allSatisfy { $0 == 1 })
    call.checkCeiling(ceilMode, strides: strides)
  }
}

extension MILCall {
  /// MIL takes `ceil_mode` with explicit padding only.
  fileprivate mutating func checkCeiling(_ ceiling: Bool, strides: [Int]) {
    if ceiling, case .string(let type)? = self["pad_type"], type.hasPrefix("same") {
      refuse("it takes 'ceil_mode' with explicit padding only", advice: "export with explicit padding")
    }
  }
}
