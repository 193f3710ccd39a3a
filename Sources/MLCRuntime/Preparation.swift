/// How a package was made ready for this machine.
package enum Preparation: Hashable, Sendable {
  /// It holds the code for this machine.
  case asIs(device: String)
  /// It was compiled for this machine now, and kept. Takes seconds.
  case prepared(device: String, seconds: Double)
  /// What was compiled for this machine earlier was found.
  case cached(device: String)
  /// Code for plainer processors runs, and why not the best.
  case baseline(device: String, reason: String)

  /// One line for logs.
  package var message: String {
    switch self {
    case .asIs(let device): "\(device), as compiled"
    case .prepared(let device, let seconds): "prepare and cache: \(device), \(Int(seconds * 1000)) ms"
    case .cached(let device): "cached: \(device)"
    case .baseline(let device, let reason): "baseline: \(device); \(reason)"
    }
  }

  /// One word for reports.
  package var word: String {
    switch self {
    case .asIs: "as compiled"
    case .prepared: "prepare and cache"
    case .cached: "cached"
    case .baseline: "baseline"
    }
  }
}
