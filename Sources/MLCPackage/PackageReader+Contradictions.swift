import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension PackageReader {
  /// What the files say otherwise of each other than the manifest does, as far as it shows without running code: code
  /// that was made for something else, plans and constants that cannot be read. Files that are damaged are left to
  /// `damages`.
  package func contradictions() -> [Diagnostic] {
    var found: [Diagnostic] = []
    func note(_ check: () throws(Diagnostic) -> Void) {
      do throws(Diagnostic) { try check() } catch { if error.id != "package.digest" { found.append(error) } }
    }
    for target in manifest.targets {
      for (function, code) in zip(functions, target.code) {
        for segment in code.segments {
          note { () throws(Diagnostic) in try checkIdentity(function, target, code, segment) }
          note { () throws(Diagnostic) in _ = try plan(segment) }
        }
      }
    }
    note { () throws(Diagnostic) in _ = try constants() }
    note { () throws(Diagnostic) in _ = try parameters() }
    note { () throws(Diagnostic) in _ = try learning() }
    return found
  }

  /// Throws `package.contradiction` unless the 32 bytes of its identity stand somewhere in the code.
  private func checkIdentity(
    _ function: FunctionInterface,
    _ target: Manifest.Target,
    _ code: Manifest.Code,
    _ segment: Manifest.Segment
  ) throws(Diagnostic) {
    let identity = CodeIdentity(function, target, code, segment)
    let file = try open(segment.kernels)
    let isThere = withExtendedLifetime(file) { PackageReader.holds(file.mapped.bytes, identity.bytes) }
    if !isThere { throw PackageReader.contradiction(file, at: path) }
  }

  private static func holds(_ bytes: UnsafeRawBufferPointer, _ wanted: [UInt8]) -> Bool {
    var rest = bytes[...]
    while rest.count >= wanted.count, let base = rest.base.baseAddress {
      guard let found = memchr(base + rest.startIndex, Int32(wanted[0]), rest.count) else { return false }
      rest = bytes[(UnsafeRawPointer(found) - base)...]
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  package static func contradiction(_ file: PackageFile, at path: String? = nil) -> Diagnostic {
    Diagnostic(
      "package.contradiction",
      "'\(file.name)' was made for another interface, processor, weights or plan than the package has",
      at: .init(file: path)
    )
  }
}
