import MLCCore
import MLCGraph

/// When a pass runs; phases come in this order.
package enum Phase: String, Sendable, CaseIterable {
  case canonicalize, fuse, compress, precision
}

/// One change to a function that keeps what it computes.
package protocol Pass: Sendable {
  static var phase: Phase { get }
  /// How far an output may move, relative to its largest element, where the narrowest floats of the function have 32
  /// bits or more; of narrower ones it may move by as many units in the last place. 0 says that results stay equal bit
  /// for bit, NaN staying some NaN.
  static var tolerance: Double { get }
  /// Applies the pass once and says what it did. Constants that it makes count toward `budget`; it throws
  /// `budget.time`.
  func run(_ function: inout Function, under budget: Budget) throws(Diagnostic) -> PassChange
}

/// How many operations a run of a pass took away and put in, those of nested blocks included.
package struct PassChange: Sendable, Equatable {
  package var removed = 0, added = 0
  package init(removed: Int = 0, added: Int = 0) { (self.removed, self.added) = (removed, added) }
  package var isEmpty: Bool { removed == 0 && added == 0 }

  package static func += (a: inout PassChange, b: PassChange) {
    a.removed += b.removed
    a.added += b.added
  }
}

extension Pass {
  package static var tolerance: Double { 0 }

  /// `tolerance` of a function whose narrowest floats are of `dtype`.
  package static func tolerance(for dtype: DType) -> Double {
    switch dtype {
    case .float16: tolerance * 0x1p13
    case .bfloat16: tolerance * 0x1p16
    default: tolerance
    }
  }

  /// The type's name in kebab case: `FuseConvBatchNorm` is `fuse-conv-batch-norm`.
  package static var name: String {
    var name = ""
    for character in "\(Self.self)" {
      if character.isUppercase, !name.isEmpty { name += "-" }
      name += character.lowercased()
    }
    return name
  }
}
