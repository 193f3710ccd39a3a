import CMLCKernelABI
import MLCCore
import MLCRuntime

/// Arena, scratch, offsets and frame of one run at a time.
///
/// `@unchecked Sendable`: a workspace has one user at a time, its context's.
final class CPUWorkspace: Workspace, @unchecked Sendable {  // one user at a time
  private let module: CPUModule
  private let pool: CPUPool
  private let scratch: UnsafeMutableRawPointer
  private let scratchStride: Int, scratchBytes: Int
  private let offsets: UnsafeMutableBufferPointer<Int64>
  private let fault: UnsafeMutablePointer<Int64>
  private var arena: UnsafeMutableRawPointer
  private var arenaCapacity = 64
  /// Most of an arena that has tensors of open extents is never touched.
  private static let mostArenaBytes: Int64 = 1 << 44
  let sizes: UnsafeMutableBufferPointer<Int64>
  let nanoseconds: UnsafeMutableBufferPointer<UInt64>
  private(set) var arenaBytes = 0

  /// Throws `runtime.memory`.
  init(_ module: CPUModule, _ pool: CPUPool, profiling: Bool) throws(Diagnostic) {
    (self.module, self.pool) = (module, pool)
    // Two lines apart, so that workers do not share one.
    scratchStride = (Int(module.table.scratch_bytes) + 127) & ~127
    scratchBytes = scratchStride * pool.workers
    scratch = try AlignedMemory.allocate(scratchBytes)
    do { arena = try AlignedMemory.allocate(arenaCapacity) } catch {
      AlignedMemory.free(scratch, scratchBytes)
      throw error
    }
    offsets = CPUWorkspace.zeros(Int(module.table.offset_count))
    sizes = CPUWorkspace.zeros(Int(module.table.symbol_count))
    nanoseconds =
      profiling
      ? CPUWorkspace.zeros(Int(module.table.step_count)) : UnsafeMutableBufferPointer(start: nil, count: 0)
    fault = .allocate(capacity: 1)
    fault.initialize(to: 0)
  }

  deinit {
    AlignedMemory.free(scratch, scratchBytes)
    AlignedMemory.free(arena, arenaCapacity)
    offsets.deallocate()
    sizes.deallocate()
    nanoseconds.deallocate()
    fault.deallocate()
  }

  /// `count` zeros at an address that is not null.
  private static func zeros<T: FixedWidthInteger>(_ count: Int) -> UnsafeMutableBufferPointer<T> {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: max(count, 1))
    memory.initialize(repeating: 0, count: max(count, 1))
    return UnsafeMutableBufferPointer(start: memory, count: count)
  }

  func bind() throws(Diagnostic) -> Bool {
    var needed: Int64 = 0
    if module.table.bind(sizes.baseAddress, offsets.baseAddress, &needed) != 0 { return false }
    guard (0...CPUWorkspace.mostArenaBytes).contains(needed) else {
      throw Diagnostic("runtime.too-large", "the model would need \(needed) bytes for its temporaries")
    }
    if Int(needed) > arenaCapacity {
      let larger = try AlignedMemory.allocate(Int(needed))
      AlignedMemory.free(arena, arenaCapacity)
      (arena, arenaCapacity) = (larger, Int(needed))
    }
    arenaBytes = Int(needed)
    return true
  }

  func run(
    inputs: UnsafePointer<UnsafeRawPointer?>,
    outputs: UnsafePointer<UnsafeMutableRawPointer?>,
    texts: TextMemory?
  ) -> Fault? {
    fault.pointee = 0
    nanoseconds.update(repeating: 0)
    var frame = mlc_frame(
      parallel: mlc_pool_parallel,
      in_phases: mlc_pool_in_phases,
      pool: UnsafeMutableRawPointer(pool.handle),
      arena: arena.assumingMemoryBound(to: CChar.self),
      weights: (module.weights.bytes.baseAddress ?? UnsafeRawPointer(scratch)).assumingMemoryBound(to: CChar.self),
      inputs: inputs,
      outputs: outputs,
      symbols: sizes.baseAddress,
      offsets: offsets.baseAddress,
      scratch: scratch.assumingMemoryBound(to: CChar.self),
      scratch_stride: Int64(scratchStride),
      profile: nanoseconds.baseAddress,
      clock: mlc_clock,
      fault: fault,
      text: { texts, words, count, buffers, extents in
        let memory = Unmanaged<TextMemory>.fromOpaque(texts!).takeUnretainedValue()
        let words = UnsafeBufferPointer(start: words, count: Int(count))
        return Int32(memory.perform(words, UnsafePointer(buffers!), extents!).rawValue)
      },
      texts: texts.map { Unmanaged.passUnretained($0).toOpaque() }
    )
    mlc_pool_enter(pool.handle)
    withExtendedLifetime(texts) { module.table.run(&frame) }
    mlc_pool_leave(pool.handle)
    let code = fault.pointee
    if code == 0 { return nil }
    let kind: Fault.Kind =
      switch UInt32(truncatingIfNeeded: code) {
      case MLC_FAULT_INDEX.rawValue: .index
      case MLC_FAULT_DIVISION.rawValue: .division
      case MLC_FAULT_SIZE.rawValue: .size
      case MLC_FAULT_TEXT.rawValue: .text
      case let other: .unknown(Int(other))
      }
    return Fault(kind, step: Int(code >> 32) - 1)
  }
}
