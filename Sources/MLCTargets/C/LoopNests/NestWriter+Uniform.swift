import MLCCore
import MLCKernels

// What is equal in all lanes is computed once, before the loop that vectors run along: C may not move a load over
// stores, since parameters could overlap for all that it knows.

extension NestWriter {
  /// The nest that computes what does not depend on `axis` beforehand, and the code that does.
  func hoistingUniform(_ axis: Axis) -> (NestWriter, CCode) {
    var writer = self
    var code: CCode = []
    let own = Set(nest.stages.flatMap { $0.axes.map(\.id) })
    func isFree(_ s: Scalar) -> Bool {
      var free = speller.isUniform(s, axis.id) && !own.contains { s.mentions($0) }
      s.visitNodes {
        switch $0 {
        case .stage, .accumulator: free = false
        default: break
        }
      }
      return free
    }
    func hoisted(_ s: Scalar) -> Scalar {
      if s.isWorthKeeping, isFree(s) {
        let type = speller.dtype(s)
        let name = "u\(writer.speller.stages.count)"
        code += CCode("const \(type.cType) \(name) = \(speller.spell(s));")
        return .stage(writer.speller.addStage(name, type, hasLanes: false))
      }
      switch s {
      case .unary(let f, let x): return .unary(f, hoisted(x))
      case .binary(let f, let x, let y): return .binary(f, hoisted(x), hoisted(y))
      case .compare(let f, let x, let y): return .compare(f, hoisted(x), hoisted(y))
      case .cast(let x, let t): return .cast(hoisted(x), t)
      default: return s
      }
    }
    writer.nest.stages = nest.stages.map { $0.changingValue(hoisted) }
    return (writer, code)
  }
}

extension Scalar {
  /// Whether it takes more than a load.
  fileprivate var isWorthKeeping: Bool {
    switch self {
    case .unary, .binary(.div, _, _), .binary(.pow, _, _), .binary(.mod, _, _), .binary(.fmod, _, _): true
    case .binary(_, let x, let y), .compare(_, let x, let y): x.isWorthKeeping || y.isWorthKeeping
    case .cast(let x, _): x.isWorthKeeping
    default: false
    }
  }
}
