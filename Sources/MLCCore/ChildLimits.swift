import CMLCProcess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a program that this process starts may take. A limit that is `nil` is this process's own.
package struct ChildLimits: Sendable, Equatable {
  /// What it can write to, and all that it can address, in bytes.
  package var memoryBytes: Int?, addressBytes: Int?
  /// Of the processor for each process, and by the clock for all.
  package var cpuSeconds: Int?, wallSeconds: Int?
  /// The longest file that it can write.
  package var fileBytes: Int?
  package var descriptors: Int?
  package var hasNetwork = false

  package init() {}

  /// For a C compiler: half of the machine's memory, 4 GiB at least; ten minutes of the processor and half an hour for
  /// a file; files of 4 GiB.
  package static var compiler: ChildLimits {
    var limits = ChildLimits()
    let memory = max(machineBytes / 2, 4 << 30)
    (limits.memoryBytes, limits.addressBytes) = (memory, memory)
    (limits.cpuSeconds, limits.wallSeconds) = (600, 1800)
    (limits.fileBytes, limits.descriptors) = (4 << 30, 256)
    return limits
  }

  /// For the command `mlc`: the machine's memory and four hours. What it maps of a model's file is not counted.
  package static var command: ChildLimits {
    var limits = ChildLimits()
    (limits.memoryBytes, limits.wallSeconds) = (machineBytes, 4 * 3600)
    return limits
  }

  /// The same, and no longer by the clock than `time`, whole seconds of it and one at least.
  package func lasting(atMost time: Duration) -> ChildLimits {
    var limits = self
    let seconds = max(1, Int(clamping: time.components.seconds) + (time.components.attoseconds > 0 ? 1 : 0))
    limits.wallSeconds = min(wallSeconds ?? seconds, seconds)
    return limits
  }

  /// Limits of this process, as shells name them, that leave a program less than these do; `nil` when none does.
  package var shortage: String? {
    let all = [
      ("ulimit -v", MLC_LIMIT_ADDRESSES, addressBytes), ("ulimit -f", MLC_LIMIT_FILE, fileBytes),
      ("ulimit -n", MLC_LIMIT_DESCRIPTORS, descriptors), ("ulimit -t", MLC_LIMIT_CPU, cpuSeconds),
    ]
    let short = all.filter { _, limit, wanted in
      wanted.map { mlc_own_limit(limit) < Int64($0) } ?? false
    }.map { $0.0 }
    return short.isEmpty ? nil : short.joined(separator: ", ")
  }

  private static var machineBytes: Int {
    max(sysconf(Int32(_SC_PHYS_PAGES)), 1 << 18) * max(sysconf(Int32(_SC_PAGESIZE)), 4096)
  }
}
