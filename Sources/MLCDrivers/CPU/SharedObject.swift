import MLCCore
import MLCPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A shared object of a package, loaded from the very file that was digested.
struct SharedObject: ~Copyable {
  private let handle: UnsafeMutableRawPointer

  /// `digest` is that of the file, in hexadecimal digits. Throws `runtime.load` when the file is cut short or the
  /// system cannot load it.
  init(_ file: PackageFile, digest: String) throws(Diagnostic) {
    defer { withExtendedLifetime(file) {} }
    try ObjectLayout.check(file)
    guard let handle = dlopen(SharedObject.name(file, digest), RTLD_NOW | RTLD_LOCAL) else {
      let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
      throw Diagnostic("runtime.load", "cannot load the kernels: \(reason)", kind: .environment)
    }
    self.handle = handle
  }

  deinit { dlclose(handle) }

  func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(handle, name) }

  /// A name under which the system opens the file behind the descriptor.
  ///
  /// Loaders take two names that are equal for one library, even after a descriptor was closed and its number given to
  /// another file. So the name spells the bits of the file's digest, each as one more `/` or `/.`: equal names have
  /// equal contents.
  private static func name(_ file: PackageFile, _ digest: String) -> String {
    #if os(Linux)
      guard let bytes = digest.digestBytes else { preconditionFailure("'\(digest)' is no digest") }
      let parts: [String] = (0..<256).map { bit in bytes[bit / 8] >> (bit % 8) & 1 == 1 ? "/." : "/" }
      return "/proc/self/fd\(parts.joined())/\(file.descriptor)"
    #else
      return file.mapped.path
    #endif
  }
}
