import MLCCore

/// What the process that reads an HDF5 file may take.
enum HDF5Limits {
  /// For a file of `byteCount` bytes: 3 s and one more for each 32 MiB; 1 GiB of addresses and what is mapped; datasets
  /// that unpack to 100 times the file, and 64 MiB for little files.
  static func forFile(of byteCount: Int) -> ChildLimits {
    var limits = ChildLimits()
    let (seconds, unpacked) = (3 + byteCount >> 25, min(1 << 36, min(byteCount, 1 << 30) * 100 + byteCount + 1 << 26))
    (limits.cpuSeconds, limits.wallSeconds, limits.fileBytes) = (seconds, 3 * seconds, unpacked)
    limits.addressBytes = 1 << 30 + 2 * byteCount + min(unpacked, 1 << 30)
    limits.descriptors = 64
    return limits
  }
}
