import MLCCore
import MLCGraph
import MLCOps

extension Mod: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) { call.drop("truncate", unless: !truncate) }
}

extension Equal: MILLegalizable {
  /// On truth values `not (x xor y)`.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0], let y = use[1], builder.fact(x).dtype == .bool else { return nil }
    let differ = try use.append(LogicalXor(), x, y, in: &builder)
    return [try use.append(LogicalNot(), differ, in: &builder, last: true)]
  }
}
