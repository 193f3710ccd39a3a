import Foundation

/// Called when a provider over the caller's bytes goes: the caller's own pointer, the bytes and how many.
public typealias CGDataProviderReleaseDataCallback =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer, Int) -> Void

/// Bytes that a picture is made of. They stay and keep their values as long as the provider is there.
public final class CGDataProvider: @unchecked Sendable {  // only read; `release` runs once, in the end
  package let bytes: UnsafeRawBufferPointer
  private let release: () -> Void

  /// Bytes that `release` gives back.
  package init(_ bytes: UnsafeRawBufferPointer, release: @escaping () -> Void) {
    (self.bytes, self.release) = (bytes, release)
  }

  /// A copy of `data`.
  public convenience init?(data: CFData) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(data.count, 1), alignment: 64)
    data.withUnsafeBytes { memory.copyBytes(from: $0) }
    self.init(UnsafeRawBufferPointer(start: memory.baseAddress, count: data.count)) { memory.deallocate() }
  }

  /// The caller's bytes, which stay until `releaseData` is called, with `info`. `nil` for a negative size.
  public convenience init?(
    dataInfo info: UnsafeMutableRawPointer?,
    data: UnsafeRawPointer,
    size: Int,
    releaseData: CGDataProviderReleaseDataCallback
  ) {
    if size < 0 { return nil }
    self.init(UnsafeRawBufferPointer(start: data, count: size)) { releaseData(info, data, size) }
  }

  deinit { release() }

  /// A copy of the bytes.
  public var data: CFData? { Data(bytes) }
}
