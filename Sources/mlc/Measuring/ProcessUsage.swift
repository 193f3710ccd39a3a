import Foundation
import MLCRuntime

/// What this process has used so far.
enum ProcessUsage {
  /// Processor time of all threads.
  static var cpuMilliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// How long threads of this process were ready to run and another process ran, all of them together; `nil` where the
  /// system does not say.
  static var waitedMilliseconds: Double? {
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") else { return nil }
    var nanoseconds: Double = 0
    for thread in threads {
      // Time that it ran, time that it waited, turns.
      guard let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/schedstat", encoding: .utf8),
        let waited = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
      else { return nil }
      nanoseconds += waited
    }
    return nanoseconds / 1e6
  }

  /// The memory that is resident now, in MB, file pages that are mapped included; `nil` where the system does not say.
  static var residentMegabytes: Double? { ResidentMemory.bytes.map { Double($0) / 1e6 } }

  /// The most memory that was ever resident, in MB; file pages that are mapped count.
  static var peakMegabytes: Double {
    #if os(Linux)
      // What getrusage answers includes the program that started this one.
      if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap({ Double($0) }).first
      {
        return kilobytes * 1024 / 1e6
      }
    #endif
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Double(usage.ru_maxrss) * 1024 / 1e6
    #else
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1e6
    #endif
  }
}

extension [Double] {
  /// The value that a `share` of the numbers does not exceed; NaN when there are none.
  func quantile(_ share: Double) -> Double {
    if isEmpty { return .nan }
    let sorted = self.sorted()
    let position = share * Double(count - 1)
    let low = Int(position)
    let high = Swift.min(low + 1, count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
  }
}
