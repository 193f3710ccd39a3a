import CMLCKernelABI
import Foundation
import MLCCompiler
import MLCCore
import MLCKernels
import MLCTargetC
import Synchronization

/// Compiles one emitted kernel for a device and plays it on given tensors.
struct CompileAndRun {
  let device: DeviceDescription
  let target: CTarget

  init(_ device: DeviceDescription) throws {
    self.device = device
    target = try CTarget(device)
  }

  /// The shipped devices that this CPU can run, without those that differ from others in products of bytes alone: these
  /// the operator suite plays.
  static let devices = DeviceSet.here.filter { $0.family == CTarget.family && !$0.requires.contains("avx512_vnni") }

  /// The same with weights in strips for vectors of 16 lanes.
  private static let packed = devices.map { device in
    var device = device
    device.packedLanes = 16
    return device
  }

  static let layouts = devices + packed

  /// What case `number` of many is played on: all devices, and one of them with weights in strips, in turns.
  static func layouts(_ number: Int) -> [DeviceDescription] { devices + [packed[number % packed.count]] }

  /// What case `number` of products of factors rounded to `type` is played on: one of `devices`, which multiply them
  /// as floats, in turns; and the devices of this CPU that have instructions for them.
  static func rounding(_ number: Int, to type: DType) -> [DeviceDescription] {
    let able = DeviceSet.here.filter { $0.multiplies(type) }
    return ([devices[number % devices.count]] + able).map { device in
      var device = device
      device.factors = type
      return device
    }
  }

  /// Runs `kernel` over host tensors by tensor number: constants come from the program (or packed), the others are
  /// taken from `inputs` or start as bytes of 0xAA. Gives the stored bytes of every tensor that the kernel writes.
  func run(
    _ kernel: Kernel,
    in program: KernelProgram,
    inputs: [TensorID: [UInt8]],
    symbols: [Int64] = [],
    splitTasks: Bool = true
  ) throws -> (outputs: [TensorID: [UInt8]], fault: Int64) {
    let emitted = try target.emit(kernel, in: program)
    let library = try library(emitted)
    let function = unsafeBitCast(dlsym(library, "run_kernel")!, to: RunKernel.self)
    var buffers: [UnsafeMutableRawPointer?] = []
    let names = Dictionary(uniqueKeysWithValues: zip(program.symbols, symbols.map { Int($0) }))
    var byTensor: [TensorID: (UnsafeMutableRawPointer, Int)] = [:]
    defer { for (pointer, _) in byTensor.values { pointer.deallocate() } }
    for (position, param) in kernel.params.enumerated() {
      let root = program.root(param.tensor)
      if let known = byTensor[root], emitted.packed[position] == nil {
        buffers.append(known.0)
        continue
      }
      let bytes = try contents(position, root, emitted, program, inputs, names)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 64, alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0xEE, count: bytes.count + 64)
      bytes.withUnsafeBytes { if $0.count > 0 { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) } }
      let key = emitted.packed[position] == nil ? root : TensorID(-1 - position)
      byTensor[key] = (memory, bytes.count)
      buffers.append(memory)
    }
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: emitted.scratchBytes + 64, alignment: 64)
    defer { scratch.deallocate() }
    var fault: Int64 = 0
    var sizes = symbols + [0]
    function(&sizes, &buffers, scratch, &fault, splitTasks ? 1 : 0, OpaquePointer(mlc_library_math()))
    var outputs: [TensorID: [UInt8]] = [:]
    for param in kernel.params where param.access != .read {
      let (pointer, count) = byTensor[program.root(param.tensor)]!
      for i in count..<count + 64 where pointer.load(fromByteOffset: i, as: UInt8.self) != 0xEE {
        throw Diagnostic("test.overrun", "\(emitted.name) wrote past the end of a parameter", kind: .bug)
      }
      outputs[param.tensor] = Array(UnsafeRawBufferPointer(start: pointer, count: count))
    }
    return (outputs, fault)
  }

  private func contents(
    _ position: Int,
    _ tensor: TensorID,
    _ emitted: EmittedKernel,
    _ program: KernelProgram,
    _ inputs: [TensorID: [UInt8]],
    _ names: [String: Int]
  ) throws -> [UInt8] {
    if let packed = emitted.packed[position] { return packed.withBytes { Array($0) } }
    if let bytes = inputs[tensor] { return bytes }
    if case .constant(let value) = program[tensor].kind { return value.withBytes { Array($0) } }
    let count = program[tensor].storedElements.evaluate(names)!
    return [UInt8](repeating: 0xAA, count: program[tensor].dtype.byteCount(count)!)
  }

  private typealias RunKernel =
    @convention(c) (
      UnsafeMutablePointer<Int64>, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutableRawPointer,
      UnsafeMutablePointer<Int64>, Int32, OpaquePointer
    ) -> Void

  /// The C of a shared object with `emitted` and `run_kernel`, which plays its tasks one by one or all at once.
  func source(_ emitted: EmittedKernel) -> String {
    let kernel = emitted.source(emitted.name)
    return target.prelude(of: [kernel]) + """

      \(kernel)
      const mlc_math *mlc_imports;
      __attribute__((visibility("default"))) void run_kernel(
        int64_t *s, void **buffers, char *scratch, int64_t *fault, int split, const mlc_math *math) {
        mlc_imports = math;
        mlc_frame f = {.symbols = s, .fault = fault};
        const mlc_phases work = \(emitted.work);
        int64_t tasks = work.groups * work.phases * work.tasks;
        if (split) for (int64_t t = 0; t < tasks; t++) \(emitted.name)(&f, buffers, scratch, t, t + 1);
        else \(emitted.name)(&f, buffers, scratch, 0, tasks);
      }

      """
  }

  /// Vectors of more bits than registers have go to functions that are always inlined: nothing passes them by an ABI.
  static let flags =
    CCompiler.dialect.filter { $0 != "-w" }
    + ["-O2", "-shared", "-Wall", "-Werror", "-Wno-unknown-pragmas", "-Wno-psabi"]

  /// Shared objects by flags and source, as numbers of their handles: many cases ask for one code at other sizes.
  private static let libraries = Mutex<[[String]: UInt]>([:])

  private func library(_ emitted: EmittedKernel) throws -> UnsafeMutableRawPointer {
    let key = device.compilerFlags + [source(emitted)]
    if let known = Self.libraries.withLock({ $0[key] }) { return UnsafeMutableRawPointer(bitPattern: known)! }
    let library = try load(emitted)
    Self.libraries.withLock { $0[key] = UInt(bitPattern: library) }
    return library
  }

  private func load(_ emitted: EmittedKernel) throws -> UnsafeMutableRawPointer {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      if ProcessInfo.processInfo.environment["MLC_KEEP"] == nil { try? FileManager.default.removeItem(at: folder) }
    }
    let file = folder.appending(path: "kernel.c").path()
    let object = folder.appending(path: "kernel.so").path()
    try source(emitted).write(toFile: file, atomically: true, encoding: .utf8)
    let messages = try Self.compile(device.compilerFlags + Self.flags + [file, "-o", object])
    guard let library = dlopen(object, RTLD_NOW | RTLD_LOCAL) else {
      throw Diagnostic("test.compile", "\(messages)\n\(source(emitted).suffix(6000))", kind: .bug)
    }
    return library
  }

  /// Runs clang, found as `MLC_CC` or on PATH, and gives what it says.
  static func compile(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [ProcessInfo.processInfo.environment["MLC_CC"] ?? "clang"] + arguments
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}

extension DeviceDescription {
  /// For messages: its name, how it lays weights out and what it multiplies.
  var label: String {
    name + (packedLanes.map { " in strips of \($0)" } ?? "") + (factors.map { " of \($0.rawValue)" } ?? "")
  }
}
