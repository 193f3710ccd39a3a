import MLCCore
import MLCGraph
import MLCOps

extension Select: MILLegalizable {
  /// coremltools takes the result's shape from `a` and `b` alone: `a` is given the shape that the condition adds.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let cond = use[0], let a = use[1], let b = use[2] else { return nil }
    let shapes = [cond, a, b].compactMap { builder.fact($0).type.staticShape }
    guard shapes.count == 3 else { return nil }
    let result = try Broadcast.shape(shapes)
    guard try Broadcast.shape(Array(shapes.dropFirst())) != result else { return nil }
    let wide = LegalizedUse(
      inputs: [[a], [use.list(result, "shape", in: &builder)]],
      names: ["\(use.names[0])_a"],
      origin: use.origin,
      target: use.target
    )
    guard let full = try BroadcastTo().legalize(wide, in: &builder)?.first else { return nil }
    return [try use.append(Select(), cond, full, b, in: &builder, last: true)]
  }
}
