import Foundation
import MLCCore
import MLCDriverCPU
import MLCRuntime

/// The processor's threads, which all models of the process share.
enum SharedDriver {
  /// `MLC_THREADS` in the environment says how many threads work on one prediction; else all cores of the process do.
  static let cpu: Result<CPUDriver, Diagnostic> = {
    let wanted = ProcessInfo.processInfo.environment["MLC_THREADS"].flatMap { Int($0) }
    do throws(Diagnostic) { return .success(try CPUDriver(threads: wanted)) } catch { return .failure(error) }
  }()
}
