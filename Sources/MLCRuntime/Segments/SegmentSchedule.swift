import MLCPackage

/// What a run of several segments commands, in order: each segment, and before it the copies of what it reads and lies
/// elsewhere. Devices that have a queue have a memory of their own; all others work in the host's, and go between them
/// through it.
package struct SegmentSchedule: Hashable, Sendable {
  package enum Command: Hashable, Sendable {
    /// Value to the device's memory, on its queue.
    case upload(Int, to: Int)
    /// Value from the device's memory, on its queue.
    case download(Int, from: Int)
    case run(segment: Int)
    /// The caller waits for all that the device was commanded.
    case wait(device: Int)
    /// A device waits for all that another was commanded.
    case order(device: Int, after: Int)
    /// Late sizes become what the segment set.
    case takeSizes(segment: Int)
  }

  package private(set) var commands: [Command] = []
  /// Values that lie in the host's memory at some time, and those in each device's.
  private(set) var hostValues: Set<Int>
  private(set) var deviceValues: [Int: Set<Int>] = [:]

  private let queued: Set<Int>
  /// Devices that were commanded something that nobody waited for.
  private var busy: Set<Int> = []
  /// Where each value is: in the host's memory, once the device has done what it was commanded to where one is named,
  /// and in devices' memories.
  private var isOnHost: [Int: Bool] = [:]
  private var arriving: [Int: Int] = [:]
  private var holders: [Int: [Int]] = [:]

  /// `queued` are the numbers of the devices that have a queue.
  package init(_ segments: [SegmentWiring], inputs: Int, outputs: Int, queued: Set<Int>) {
    self.queued = queued
    hostValues = Set(0..<inputs + outputs)
    for value in 0..<inputs { isOnHost[value] = true }
    for (index, segment) in segments.enumerated() {
      if queued.contains(segment.device) {
        bring(segment.inputs, to: segment.device)
        commands.append(.run(segment: index))
        busy.insert(segment.device)
        for value in segment.outputs { holders[value, default: []].append(segment.device) }
        deviceValues[segment.device, default: []].formUnion(segment.outputs)
        if !segment.sizes.isEmpty { wait(for: segment.device) }
      } else {
        bringToHost(segment.inputs)
        commands.append(.run(segment: index))
        for value in segment.outputs { isOnHost[value] = true }
        hostValues.formUnion(segment.outputs)
      }
      if !segment.sizes.isEmpty { commands.append(.takeSizes(segment: index)) }
    }
    bringToHost(Array(inputs..<inputs + outputs))
    for device in busy.sorted() { wait(for: device) }
  }

  private mutating func bringToHost(_ values: [Int]) {
    var awaited: Set<Int> = []
    for value in values where isOnHost[value] != true { awaited.insert(download(value)) }
    for device in awaited.sorted() { wait(for: device) }
  }

  private mutating func bring(_ values: [Int], to device: Int) {
    let missing = values.filter { !holders[$0, default: []].contains(device) }
    var awaited: Set<Int> = []
    for value in missing where isOnHost[value] != true { awaited.insert(download(value)) }
    for other in awaited.sorted() { commands.append(.order(device: device, after: other)) }
    for value in missing {
      commands.append(.upload(value, to: device))
      holders[value, default: []].append(device)
    }
    deviceValues[device, default: []].formUnion(values)
  }

  /// On its way to the host; the device that sends it.
  private mutating func download(_ value: Int) -> Int {
    if let device = arriving[value] { return device }
    guard let device = holders[value]?.first else { preconditionFailure("value \(value) is nowhere") }
    commands.append(.download(value, from: device))
    busy.insert(device)
    hostValues.insert(value)
    arriving[value] = device
    return device
  }

  private mutating func wait(for device: Int) {
    guard busy.remove(device) != nil else { return }
    commands.append(.wait(device: device))
    for (value, sender) in arriving where sender == device {
      isOnHost[value] = true
      arriving[value] = nil
    }
  }
}
