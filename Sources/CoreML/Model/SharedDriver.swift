import MLCCore
import MLCDriverCPU
import MLCRuntime

/// The processor's threads, which all models of the process share.
enum SharedDriver {
  /// `MLC_THREADS` in the environment says how many threads work on one prediction; else all cores of the process do.
  static let cpu: Result<CPUDriver, Diagnostic> = {
    do throws(Diagnostic) { return .success(try CPUDriver(threads: try ThreadCount.wanted())) } catch {
      return .failure(error)
    }
  }()
}
