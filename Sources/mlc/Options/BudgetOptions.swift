import ArgumentParser
import MLCCore

/// What a command may use of memory and time for a source model.
struct BudgetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The most that constants made from constants and tensors of a run by the reference interpreter may take: 512MB, "
        + "2GB. Without it 4 GiB or 32 times the model. Constants made from constants never take more than 64 MiB or "
        + "16 times the model; larger ones stay computed.",
      valueName: "SIZE"
    )
  )
  var limitMemory: String?
  @Option(
    help: ArgumentHelp(
      "The longest that reading, optimising, trying out and compiling may take: 30s, 5m. Without it half an hour and a "
        + "minute for each MiB of the model.",
      valueName: "DURATION"
    )
  )
  var limitTime: String?

  /// Throws `limit.syntax`.
  func limits() throws(Diagnostic) -> Limits {
    var limits = Limits()
    if let limitMemory {
      guard let bytes = Limits.bytes(limitMemory) else {
        throw Self.wrong("--limit-memory \(limitMemory)", Limits.memoryForm)
      }
      limits.memory = bytes
    }
    if let limitTime {
      guard let time = Limits.duration(limitTime) else {
        throw Self.wrong("--limit-time \(limitTime)", Limits.timeForm)
      }
      limits.time = time
    }
    return limits
  }

  private static func wrong(_ option: String, _ form: String) -> Diagnostic {
    Diagnostic("limit.syntax", "\(option): write \(form)", kind: .usage)
  }
}

/// Limits that the user sets; those that follow from the model where they are `nil`.
struct Limits {
  var memory: Int?
  var time: Duration?

  static let memoryForm = "a number and B, kB, MB, GB, TB, KiB, MiB, GiB or TiB, as in 2GB"
  static let timeForm = "a number and ms, s, m or h, as in 30s"

  /// `1.5GB` in bytes; `nil` for anything else, 0 and more than an exabyte.
  static func bytes(_ text: String) -> Int? {
    let units: [String: Double] = [
      "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 0x1p10, "mib": 0x1p20, "gib": 0x1p30, "tib": 0x1p40,
    ]
    guard let number = value(text, units), number >= 1, number <= 0x1p60 else { return nil }
    return Int(number)
  }

  /// `30s`; `nil` for anything else, 0 and more than a hundred years.
  static func duration(_ text: String) -> Duration? {
    guard let seconds = value(text, ["ms": 1e-3, "s": 1, "m": 60, "min": 60, "h": 3600]), seconds > 0, seconds < 3.2e9
    else { return nil }
    return .milliseconds(Int(seconds * 1000))
  }

  private static func value(_ text: String, _ units: [String: Double]) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let unit = units[text.dropFirst(digits.count).lowercased()], let number = Double(digits) else { return nil }
    return number * unit
  }
}
