import MLCRuntime

/// How a model was made ready for this machine when it was loaded.
public enum MLModelPreparation: Hashable, Sendable, CustomStringConvertible {
  /// The package holds the code for this machine.
  case asCompiled(device: String)
  /// It was compiled for this machine now, and kept for the next time.
  case prepared(device: String)
  /// What was compiled for this machine earlier was found.
  case cached(device: String)
  /// Code for plainer processors runs; `reason` says why not the best.
  case baseline(device: String, reason: String)

  init(_ preparation: Preparation) {
    switch preparation {
    case .asIs(let device): self = .asCompiled(device: device)
    case .prepared(let device, _): self = .prepared(device: device)
    case .cached(let device): self = .cached(device: device)
    case .baseline(let device, let reason): self = .baseline(device: device, reason: reason)
    }
  }

  public var description: String {
    switch self {
    case .asCompiled(let device): "as compiled: \(device)"
    case .prepared(let device): "prepare and cache: \(device)"
    case .cached(let device): "cached: \(device)"
    case .baseline(let device, let reason): "baseline: \(device); \(reason)"
    }
  }
}
