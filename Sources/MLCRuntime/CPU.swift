import CMLCKernelABI

/// The processor this process runs on.
package enum CPU {
  /// Cores that this process may use, at least 1.
  package static var coreCount: Int { Int(mlc_cpu_count()) }
  /// `x86-64`, `aarch64` or `unknown`.
  package static var architecture: String { String(cString: mlc_cpu_architecture()) }

  /// Whether the CPU has the feature that Linux calls `name` and the system keeps its registers; `nil` for a name that
  /// means nothing on this architecture.
  package static func has(_ name: String) -> Bool? {
    let answer = mlc_cpu_feature(name)
    return answer < 0 ? nil : answer == 1
  }

  /// Why code for `isa` that needs `features` cannot run here; `nil` when it can.
  package static func obstacle(isa: String, requires features: [String]) -> String? {
    let wanted = isa.hasPrefix("arm") || isa.hasPrefix("aarch64") ? "aarch64" : isa.hasPrefix("x86-64") ? "x86-64" : isa
    guard wanted == architecture else { return "it is for \(isa), this CPU is \(architecture)" }
    let unknown = features.filter { has($0) == nil }
    guard unknown.isEmpty else { return "it requires \(unknown.joined(separator: ", ")), which mlc does not know" }
    let missing = features.filter { has($0) == false }
    return missing.isEmpty ? nil : "this CPU has no \(missing.joined(separator: ", "))"
  }
}
