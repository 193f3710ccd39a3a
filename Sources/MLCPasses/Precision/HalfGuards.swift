import MLCCore
import MLCGraph
import MLCOps

extension Function {
  /// The operations around a constant that keeps values from zero, `log(x² + 1e-10)`, and that float16 would round to
  /// zero, or nearly.
  ///
  /// These are the one that adds the constant or takes the greater of both, the one that makes its other operand, and
  /// those that read its result. No sample shows the need of it unless some of its values are as small as the constant.
  func halfGuards() -> [HalfHazard] {
    var producers: [ValueID: Operation] = [:]
    var readers: [ValueID: [Operation]] = [:]
    for operation in body.operations {
      for id in operation.outputs { producers[id] = operation }
      for id in operation.inputs.joined() { readers[id, default: []].append(operation) }
    }
    return body.operations.flatMap { operation -> [HalfHazard] in
      guard operation.op is Add || operation.op is Maximum, let least = smallConstant(of: operation) else { return [] }
      let sources = operation.inputs.joined().compactMap { producers[$0] }.filter { !($0.op is Const) }
      let around = sources + [operation] + operation.outputs.flatMap { readers[$0] ?? [] }
      return around.compactMap { hazard($0, .guarding(least)) }
    }
  }

  /// The greatest magnitude in a float32 operand that is constant, if it is below the normal numbers of float16 and not
  /// 0.
  private func smallConstant(of operation: Operation) -> Double? {
    for id in operation.inputs.joined() {
      guard type(id).dtype == .float32, let constant = fact(id).value, constant.count > 0 else { continue }
      let largest = constant.floats.reduce(0) { max($0, abs($1)) }
      if largest > 0, Double(largest) < HalfHazard.smallestNormal { return Double(largest) }
    }
    return nil
  }
}
