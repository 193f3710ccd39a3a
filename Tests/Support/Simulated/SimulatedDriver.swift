import Foundation
import MLCCore
import MLCDriverCPU
import MLCPackage
import MLCRuntime

/// Runs code for this processor as if on a device: on a thread of its own, later than it was asked, and in a memory
/// whose addresses mean nothing to anybody else. What nobody copied there is not a number, and what nobody waited for
/// is not there yet.
package struct SimulatedDriver: Driver {
  package let family = SimulatedTarget.family
  package let threads = 1
  private let isSeparate: Bool
  private let log: SimulatedLog
  private let processor: CPUDriver

  /// Unless it `isSeparate`, the device is this processor, and works in the host's memory at once.
  package init(isSeparate: Bool = true, log: SimulatedLog) throws(Diagnostic) {
    processor = try CPUDriver(threads: 1)
    (self.isSeparate, self.log) = (isSeparate, log)
  }

  package func obstacle(to device: Manifest.Device) -> String? {
    CPU.obstacle(isa: device.isa, requires: device.requires)
  }

  package func load(_ artifact: Artifact) throws(Diagnostic) -> any Executable { try processor.load(artifact) }

  package func makeQueue() throws(Diagnostic) -> (any DeviceQueue)? {
    isSeparate ? SimulatedQueue(log) : nil
  }
}

/// What a simulated device was asked to do.
package final class SimulatedLog: @unchecked Sendable {  // guarded by its lock
  private let lock = NSLock()
  private var counts = (uploads: 0, downloads: 0, runs: 0, faults: 0)

  package init() {}
  package var uploads: Int { lock.withLock { counts.uploads } }
  package var downloads: Int { lock.withLock { counts.downloads } }
  package var runs: Int { lock.withLock { counts.runs } }
  /// Addresses that were none of the device's.
  package var faults: Int { lock.withLock { counts.faults } }

  fileprivate func count(_ change: (inout (uploads: Int, downloads: Int, runs: Int, faults: Int)) -> Void) {
    lock.withLock { change(&counts) }
  }
}

private final class SimulatedEvent: DeviceEvent, @unchecked Sendable {  // guarded by its condition
  private let condition = NSCondition()
  private var happened = false

  func happen() {
    condition.withLock {
      happened = true
      condition.broadcast()
    }
  }

  func wait() {
    condition.withLock { while !happened { condition.wait() } }
  }
}

/// A thread that does one command after the other, each a little late.
private final class SimulatedQueue: DeviceQueue, @unchecked Sendable {  // commands run one at a time
  private let work = DispatchQueue(label: "simulated")
  private let log: SimulatedLog
  private let lock = NSLock()
  /// What each of the device's addresses stands for.
  private var blocks: [UInt: (memory: UnsafeMutableRawPointer, byteCount: Int)] = [:]
  /// No processor has anything at such an address.
  private var next: UInt = 0xdead_0000_0000_0000

  init(_ log: SimulatedLog) { self.log = log }

  deinit { for block in blocks.values { block.memory.deallocate() } }

  func allocate(_ byteCount: Int) throws(Diagnostic) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0xff, count: byteCount)
    return lock.withLock {
      next += 1 << 32
      blocks[next] = (memory, byteCount)
      return UnsafeMutableRawPointer(bitPattern: next)!
    }
  }

  func free(_ memory: UnsafeMutableRawPointer) {
    lock.withLock { blocks.removeValue(forKey: UInt(bitPattern: memory))?.memory.deallocate() }
  }

  func upload(_ host: UnsafeRawPointer, to device: UnsafeMutableRawPointer, _ byteCount: Int) {
    nonisolated(unsafe) let (host, device) = (host, device)
    later { [self] in
      log.count { $0.uploads += 1 }
      block(device, byteCount)?.copyMemory(from: host, byteCount: byteCount)
    }
  }

  func download(_ device: UnsafeRawPointer, to host: UnsafeMutableRawPointer, _ byteCount: Int) {
    nonisolated(unsafe) let (host, device) = (host, device)
    later { [self] in
      log.count { $0.downloads += 1 }
      if let memory = block(device, byteCount) { host.copyMemory(from: memory, byteCount: byteCount) }
    }
  }

  func run(
    _ workspace: any Workspace,
    inputs: UnsafePointer<UnsafeRawPointer?>,
    outputs: UnsafePointer<UnsafeMutableRawPointer?>,
    completed: @escaping @Sendable (Fault?) -> Void
  ) {
    nonisolated(unsafe) let (inputs, outputs) = (inputs, outputs)
    later { [self] in
      log.count { $0.runs += 1 }
      var from: [UnsafeRawPointer?] = [nil]
      var to: [UnsafeMutableRawPointer?] = [nil]
      // The lists end with the first address that is null.
      var (place, count) = (0, 0)
      while let address = inputs[place] {
        from.insert(block(address, 0).map { UnsafeRawPointer($0) }, at: place)
        place += 1
      }
      while let address = outputs[count] {
        to.insert(block(address, 0), at: count)
        count += 1
      }
      completed(workspace.run(inputs: from, outputs: to, texts: nil))
    }
  }

  func event() -> any DeviceEvent {
    let event = SimulatedEvent()
    work.async { event.happen() }
    return event
  }

  func wait(for event: any DeviceEvent) { work.async { event.wait() } }

  private func later(_ body: @escaping @Sendable () -> Void) {
    work.async {
      usleep(20)
      body()
    }
  }

  /// The memory behind an address of the device, `byteCount` long at least.
  private func block(_ address: UnsafeRawPointer, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    let known = lock.withLock { blocks[UInt(bitPattern: address)] }
    guard let known, byteCount <= known.byteCount else {
      log.count { $0.faults += 1 }
      return nil
    }
    return known.memory
  }
}
