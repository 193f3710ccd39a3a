import MLCCore
import MLCKernels

/// The C vectors that hold `VL` lanes of values of an element type, and names of functions on them.
enum LaneType: String {
  /// float32, and what is widened to it.
  case float = "V"
  /// int32, uint32, bytes with their numbers, and truth values, which are 0 and −1.
  case int = "VI"
  case double = "VD"
  /// int64 and uint64.
  case long = "VQ"

  /// `nil` for types that have no lanes.
  init?(_ type: DType) {
    switch type.widened {
    case .float32: self = .float
    case .int32, .uint32, .int8, .uint8, .bool: self = .int
    case .float64: self = .double
    case .int64, .uint64: self = .long
    default: return nil
    }
  }

  /// The C type.
  var name: String { rawValue }

  /// The C type of one lane, and how many bytes it takes.
  var element: String {
    switch self {
    case .float: "float"
    case .int: "int32_t"
    case .double: "double"
    case .long: "int64_t"
    }
  }
  var bytes: Int { self == .float || self == .int ? 4 : 8 }

  /// The prelude's macros that read and write lanes at any address.
  var load: String { "LD" + suffix }
  var store: String { "ST" + suffix }
  private var suffix: String {
    switch self {
    case .float: ""
    case .int: "I"
    case .double: "D"
    case .long: "Q"
    }
  }

  /// All lanes equal to the number `x`.
  func splat(_ x: String) -> String {
    switch self {
    case .float: "SPLAT(\(x))"
    case .int: "SPLATI(\(x))"
    case .double: "SPLATD(\(x))"
    case .long: "SPLATQ(\(x))"
    }
  }

  /// The prelude's `function` on such vectors.
  func function(_ function: String) -> String {
    switch self {
    case .float: "mlc_\(function)_v"
    case .int: "mlc_\(function)i_v"
    case .double: "mlc_\(function)_d"
    case .long: "mlc_\(function)_q"
    }
  }

  /// The prelude's reduction of all lanes to one element.
  func horizontal(_ reduction: String) -> String {
    self == .float ? "mlc_h\(reduction)" : function("h\(reduction)")
  }

  /// Comparisons of `VL` such lanes as a `VI` of 0 and −1: those of wide lanes have wide results.
  func truth(_ comparison: String) -> String {
    switch self {
    case .float, .int: "(\(comparison))"
    case .double, .long: "__builtin_convertvector(\(comparison), VI)"
    }
  }

  /// The lanes `v` converted as C converts each of them.
  func converted(_ v: String, from other: LaneType) -> String {
    other == self ? v : "__builtin_convertvector(\(v), \(name))"
  }
}
