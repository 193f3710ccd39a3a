import MLCCore
import MLCGraph
import MLCOps

extension Gather: MILLegalizable {
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    try gatherTruthValues(self, use, in: &builder)
  }
}
extension GatherAlongAxis: MILLegalizable {
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    try gatherTruthValues(self, use, in: &builder)
  }
}
extension GatherNd: MILLegalizable {
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    try gatherTruthValues(self, use, in: &builder)
  }
}

/// MIL gathers numbers only: truth values go as `int32`.
private func gatherTruthValues(_ op: some Operator, _ use: LegalizedUse, in builder: inout Builder)
  throws(Diagnostic) -> [ValueID]?
{
  guard let x = use[0], let indices = use[1], builder.fact(x).dtype == .bool else { return nil }
  let numbers = try use.append(Cast(.int32), x, in: &builder)
  let picked = try use.append(op, numbers, indices, in: &builder)
  return [try use.append(Cast(.bool), picked, in: &builder, last: true)]
}
