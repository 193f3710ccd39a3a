import MLCCore
import MLCPackage

/// The memory of one run of a function in segments: a workspace for each, a queue for each device that has one, and
/// memory for what goes between them.
///
/// `@unchecked Sendable`: a workspace has one user at a time, its context's, who waits for the queues.
final class SegmentedWorkspace: Workspace, @unchecked Sendable {  // one user at a time
  private let program: SegmentedExecutable
  private let schedule: SegmentSchedule
  private let workspaces: [any Workspace]
  /// Devices that have a memory of their own, by number.
  private let remotes: [Int: Remote]
  /// What each segment runs on.
  private let ports: [PortPointers]
  private let hostMemory = ValueMemory(nil)
  private var byteCounts: [Int] = []
  private var lateBounds: [Int64] = []
  /// By segment.
  private let faults: Guarded<[Fault?]>

  let sizes: UnsafeMutableBufferPointer<Int64>
  let nanoseconds: UnsafeMutableBufferPointer<UInt64>

  init(_ program: SegmentedExecutable, profiling: Bool) throws(Diagnostic) {
    self.program = program
    var remotes: [Int: Remote] = [:]
    for (device, driver) in program.drivers.enumerated() {
      if let queue = try driver.makeQueue() { remotes[device] = Remote(queue: queue, memory: ValueMemory(queue)) }
    }
    var workspaces: [any Workspace] = []
    for segment in program.segments { workspaces.append(try segment.makeWorkspace(profiling: profiling)) }
    (self.remotes, self.workspaces) = (remotes, workspaces)
    schedule = SegmentSchedule(
      program.wirings,
      inputs: program.interface.inputs.count,
      outputs: program.interface.outputs.count,
      queued: Set(remotes.keys)
    )
    ports = program.wirings.map { PortPointers(inputs: $0.inputs.count, outputs: $0.outputs.count) }
    faults = Guarded([Fault?](repeating: nil, count: workspaces.count))
    sizes = .allocate(capacity: program.interface.symbols.count + program.interface.lateSymbols.count)
    sizes.initialize(repeating: 0)
    nanoseconds = .allocate(capacity: profiling ? program.steps.count : 0)
    nanoseconds.initialize(repeating: 0)
  }

  deinit {
    sizes.deallocate()
    nanoseconds.deallocate()
  }

  var arenaBytes: Int {
    remotes.values.reduce(hostMemory.byteCount) { $0 + $1.memory.byteCount }
      + workspaces.reduce(0) { $0 + $1.arenaBytes }
  }

  func bind() throws(Diagnostic) -> Bool {
    lateBounds = sizes.dropFirst(program.interface.symbols.count).map { $0 }
    for workspace in workspaces {
      for (index, size) in sizes.enumerated() { workspace.sizes[index] = size }
      guard try workspace.bind() else { return false }
    }
    byteCounts = try valueByteCounts()
    let ours = program.interface.inputs.count + program.interface.outputs.count
    try hostMemory.reserve(schedule.hostValues.filter { $0 >= ours }, byteCounts)
    for (device, values) in schedule.deviceValues { try remote(device).memory.reserve(values, byteCounts) }
    for (wiring, ports) in zip(program.wirings, ports) {
      guard let memory = remotes[wiring.device]?.memory else { continue }
      for (place, value) in wiring.inputs.enumerated() { ports.inputs[place] = UnsafeRawPointer(memory[value]) }
      for (place, value) in wiring.outputs.enumerated() { ports.outputs[place] = memory[value] }
    }
    return true
  }

  /// The sizes that are known now, by name.
  private var namedSizes: [String: Int] {
    let names = program.interface.symbols.map { $0.name } + program.interface.lateSymbols.map { $0.name }
    return Dictionary(zip(names, sizes.map { Int($0) })) { first, _ in first }
  }

  /// Bytes of each value at the bounds of late sizes.
  private func valueByteCounts() throws(Diagnostic) -> [Int] {
    let (interface, known) = (program.interface, namedSizes)
    var counts: [Int] = []
    for type in interface.inputs.map({ $0.type }) + interface.outputs.map({ $0.type }) + program.values {
      let shape = type.shape.compactMap { $0.evaluate(known) }
      let limit = interface.elementLimit(type)
      guard shape.count == type.rank, shape.allSatisfy({ $0 >= 0 }), let count = limit ?? shape.checkedProduct,
        let bytes = type.dtype.stored.byteCount(count), bytes <= maximumTensorBytes
      else { throw Diagnostic("runtime.too-large", "a tensor between segments would have the shape \(shape)") }
      counts.append(bytes)
    }
    return counts
  }

  /// Bytes of a value of the sizes that are known now.
  private func byteCount(_ value: Int) -> Int {
    guard let type = program.openValues[value] else { return byteCounts[value] }
    let known = namedSizes
    let extents = type.shape.compactMap { $0.evaluate(known) }
    guard extents.count == type.rank, let count = extents.checkedProduct,
      let bytes = type.dtype.stored.byteCount(count)
    else {
      return byteCounts[value]
    }
    return min(bytes, byteCounts[value])
  }
}

// MARK: Running

extension SegmentedWorkspace {
  func run(
    inputs: UnsafePointer<UnsafeRawPointer?>,
    outputs: UnsafePointer<UnsafeMutableRawPointer?>,
    texts: TextMemory?
  ) -> Fault? {
    faults.withLock { faults in for index in faults.indices { faults[index] = nil } }
    let inputCount = program.interface.inputs.count
    let portCount = inputCount + program.interface.outputs.count
    /// Where a value lies in the host's memory.
    func host(_ value: Int) -> UnsafeMutableRawPointer {
      if value < inputCount { return UnsafeMutableRawPointer(mutating: inputs[value]!) }
      return value < portCount ? outputs[value - inputCount]! : hostMemory[value]
    }
    for command in schedule.commands {
      switch command {
      case .upload(let value, let device):
        let remote = remote(device)
        remote.queue.upload(host(value), to: remote.memory[value], byteCount(value))
      case .download(let value, let device):
        let remote = remote(device)
        remote.queue.download(remote.memory[value], to: host(value), byteCount(value))
      case .run(let segment): run(segment, host, texts)
      case .wait(let device): remote(device).queue.event().wait()
      case .order(let device, let other): remote(device).queue.wait(for: remote(other).queue.event())
      case .takeSizes(let segment):
        if let fault = takeSizes(of: segment) {
          for remote in remotes.values { remote.queue.event().wait() }
          return fault
        }
      }
    }
    return finish()
  }

  private func remote(_ device: Int) -> Remote {
    guard let remote = remotes[device] else { preconditionFailure("device \(device) works in the host's memory") }
    return remote
  }

  private func run(_ segment: Int, _ host: (Int) -> UnsafeMutableRawPointer, _ texts: TextMemory?) {
    let (wiring, ports, workspace) = (program.wirings[segment], ports[segment], workspaces[segment])
    let first = program.interface.symbols.count
    for index in first..<sizes.count { workspace.sizes[index] = sizes[index] }
    guard let queue = remotes[wiring.device]?.queue else {
      for (place, value) in wiring.inputs.enumerated() { ports.inputs[place] = UnsafeRawPointer(host(value)) }
      for (place, value) in wiring.outputs.enumerated() { ports.outputs[place] = host(value) }
      note(workspace.run(inputs: ports.inputs.baseAddress!, outputs: ports.outputs.baseAddress!, texts: texts), segment)
      return
    }
    queue.run(workspace, inputs: ports.inputs.baseAddress!, outputs: ports.outputs.baseAddress!) { [self] fault in
      note(fault, segment)
    }
  }

  private func note(_ fault: Fault?, _ segment: Int) { faults.withLock { $0[segment] = fault } }

  /// Takes over the late sizes that a segment set. One outside of its bounds, which memory is not made for, ends the
  /// run, and so does a fault.
  private func takeSizes(of segment: Int) -> Fault? {
    let first = program.interface.symbols.count
    for (number, late) in program.interface.lateSymbols.enumerated() {
      guard program.wirings[segment].sizes.contains(late.name) else { continue }
      let size = workspaces[segment].sizes[first + number]
      guard (0...lateBounds[number]).contains(size) else { return Fault(.size, step: stepBase(segment)) }
      sizes[first + number] = size
    }
    return firstFault
  }

  private func finish() -> Fault? {
    if !nanoseconds.isEmpty {
      for (segment, workspace) in workspaces.enumerated() {
        let base = stepBase(segment)
        for (step, time) in workspace.nanoseconds.enumerated() { nanoseconds[base + step] = time }
      }
    }
    return firstFault
  }

  /// Of the segment that runs first, in the numbers of all steps.
  private var firstFault: Fault? {
    let faults = faults.withLock { $0 }
    guard let segment = faults.firstIndex(where: { $0 != nil }), let fault = faults[segment] else { return nil }
    return Fault(fault.kind, step: fault.step + stepBase(segment))
  }

  private func stepBase(_ segment: Int) -> Int { program.segments[..<segment].reduce(0) { $0 + $1.steps.count } }
}

/// A device that has a memory of its own.
private struct Remote {
  let queue: any DeviceQueue
  let memory: ValueMemory
}

/// Memory for values in one place: on a device, or the host's.
private final class ValueMemory {
  private let queue: (any DeviceQueue)?
  private var blocks: [Int: (address: UnsafeMutableRawPointer, byteCount: Int)] = [:]

  init(_ queue: (any DeviceQueue)?) { self.queue = queue }

  deinit { for block in blocks.values { free(block) } }

  var byteCount: Int { blocks.values.reduce(0) { $0 + $1.byteCount } }

  /// Where a value lies that there is room for.
  subscript(value: Int) -> UnsafeMutableRawPointer {
    guard let block = blocks[value] else { preconditionFailure("value \(value) has no memory") }
    return block.address
  }

  /// Has room for `values`. Throws `runtime.memory`.
  func reserve(_ values: Set<Int>, _ byteCounts: [Int]) throws(Diagnostic) {
    for value in values.sorted() {
      let needed = max(byteCounts[value], 1)
      if let block = blocks[value] {
        if block.byteCount >= needed { continue }
        free(block)
        blocks[value] = nil
      }
      blocks[value] = (try allocate(needed), needed)
    }
  }

  private func allocate(_ byteCount: Int) throws(Diagnostic) -> UnsafeMutableRawPointer {
    if let queue { try queue.allocate(byteCount) } else { try AlignedMemory.allocate(byteCount) }
  }

  private func free(_ block: (address: UnsafeMutableRawPointer, byteCount: Int)) {
    if let queue { queue.free(block.address) } else { AlignedMemory.free(block.address, block.byteCount) }
  }
}
