import MLCCompiler
import MLCTargetC

extension CTarget {
  /// Vectors of eight floats, for tests that need some target.
  package static let v3: CTarget = {
    do { return try CTarget(DeviceSet(["x86-64-v3"]).devices[0]) } catch { preconditionFailure("\(error)") }
  }()
}
