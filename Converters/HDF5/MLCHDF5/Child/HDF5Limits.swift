import Glibc

/// What the child process may take.
package struct HDF5Limits: Sendable {
  package var cpuSeconds: Int, addressBytes: Int, fileBytes: Int

  package init(cpuSeconds: Int, addressBytes: Int, fileBytes: Int) {
    (self.cpuSeconds, self.addressBytes, self.fileBytes) = (cpuSeconds, addressBytes, fileBytes)
  }

  /// For a file of `byteCount` bytes: 3 s and one more for each 32 MiB; 1 GiB of addresses and what is mapped; datasets
  /// that unpack to 100 times the file, and 64 MiB for little files.
  package init(fileOf byteCount: Int) {
    cpuSeconds = 3 + byteCount >> 25
    fileBytes = min(1 << 36, min(byteCount, 1 << 30) * 100 + byteCount + 1 << 26)
    addressBytes = 1 << 30 + 2 * byteCount + min(fileBytes, 1 << 30)
  }

  /// Seconds by the clock after which the parent gives up.
  var wallSeconds: Int { 3 * cpuSeconds }

  /// Sets them for this process, for good.
  func apply() -> Bool {
    func limit(_ resource: __rlimit_resource_t, _ value: Int) -> Bool {
      var pair = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
      return setrlimit(resource, &pair) == 0
    }
    return limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0)
      && limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), cpuSeconds)
      && limit(__rlimit_resource_t(RLIMIT_AS.rawValue), addressBytes)
      && limit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), fileBytes)
  }
}
