import Foundation

/// Bytes of this process that are in the machine's memory.
struct ProcessMemory {
  /// Pages of files, such as weights, included.
  let resident: Int
  /// Pages that belong to no file.
  let anonymous: Int

  static var now: ProcessMemory {
    var buffer = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return withUnsafeMutableBytes(of: &buffer) { bytes in
      let count = read(descriptor, bytes.baseAddress, bytes.count)
      let numbers = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " ")).map { digits in
        digits.reduce(0) { $0 * 10 + Int($1) - 48 }
      }
      guard numbers.count > 2 else { return ProcessMemory(resident: 0, anonymous: 0) }
      let page = Int(getpagesize())
      return ProcessMemory(resident: numbers[1] * page, anonymous: (numbers[1] - numbers[2]) * page)
    }
  }
}
