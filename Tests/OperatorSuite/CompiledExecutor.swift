import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCKernels
import MLCRuntime
import MLCTargetC
import TestSupport

/// Plays cases as generated code of one device and compares with what the interpreter says.
///
/// Many cases become one function, so that the C compiler starts seldom; when such a module fails, its halves are played
/// on their own until the case at fault stands alone.
struct CompiledExecutor {
  let device: DeviceDescription
  private let target: CTarget
  private let driver: CPUDriver

  init(_ device: DeviceDescription) throws(Diagnostic) {
    self.device = device
    target = try CTarget(device)
    driver = try CPUDriver(threads: 2)
  }

  /// Why the cases among `items` fail that do: `label: reason`.
  func failures(_ items: [OperatorCase], modules size: Int = 100) -> [String] {
    var failures: [String] = []
    var sound: [OperatorCase] = []
    for item in items {
      do throws(Diagnostic) {
        try checkEmission(item)
        sound.append(item)
      } catch {
        failures.append("\(item.label): \(error)")
      }
    }
    for start in stride(from: 0, to: sound.count, by: size) {
      failures += play(Array(sound[start..<min(start + size, sound.count)]))
    }
    return failures
  }

  /// Throws when an operator has no lowering or a kernel cannot be emitted.
  private func checkEmission(_ item: OperatorCase) throws(Diagnostic) {
    var program = try KernelProgram.optimized(try CaseFunction(item, symbolic: false).function, lanes: device.lanes)
    program.resolveCompressed(for: target)
    var problem: Diagnostic?
    KernelProgram.forEachKernel(program.steps) { kernel in
      if problem == nil { problem = target.obstacle(to: kernel, in: program) }
    }
    if let problem { throw problem }
  }

  private func play(_ items: [OperatorCase]) -> [String] {
    do throws(Diagnostic) {
      return try playTogether(items)
    } catch {
      if items.count == 1 { return ["\(items[0].label): \(error)"] }
      let middle = items.count / 2
      return play(Array(items[..<middle])) + play(Array(items[middle...]))
    }
  }

  /// What generated code makes of `function`. Throws when the module cannot be made or the run fails.
  func run(_ function: Function, _ arguments: [Tensor]) throws(Diagnostic) -> [Tensor] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-suite-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      throw Diagnostic("test.folder", "cannot create '\(folder.path())'", kind: .environment)
    }
    let path = folder.appending(path: "suite.mlmodelc").path()
    var options = CompileOptions()
    options.targets = [device.name]
    options.keepSources = ProcessInfo.processInfo.environment["MLC_KEEP"]
    _ = try Compiler(options).compile(Program([function]), to: path)
    return try Model.load(path: path, drivers: [driver]).predict(arguments)
  }

  /// Throws when the module fails as a whole: then nothing is known of the single case.
  private func playTogether(_ items: [OperatorCase]) throws(Diagnostic) -> [String] {
    let batch = try CaseBatch(items)
    let results = try run(batch.function, batch.arguments)
    var failures: [String] = []
    var next = 0
    for (item, expected) in zip(items, batch.expected) {
      for (index, reference) in expected.enumerated() {
        let (rtol, atol) = tolerance(item, reference.dtype)
        if let problem = disagreement(results[next + index], reference, rtol: rtol, atol: atol) {
          failures.append("\(item.label): output \(index) \(problem)")
        }
      }
      next += expected.count
    }
    return failures
  }

  /// Generated code computes 16-bit floats in fp32: the last bit of the result may differ.
  private func tolerance(_ item: OperatorCase, _ dtype: DType) -> (Double, Double) {
    let least = dtype == .float16 ? 2e-3 : dtype == .bfloat16 ? 1.6e-2 : 1e-4
    return (max(item.rtol, least), max(item.atol, dtype == .float32 || dtype == .float64 ? 1e-5 : least))
  }
}

/// The operations of many cases side by side in one function, and what the interpreter makes of each.
struct CaseBatch {
  var function = Function()
  var arguments: [Tensor] = []
  var expected: [[Tensor]] = []

  init(_ items: [OperatorCase]) throws(Diagnostic) {
    var builder = Builder()
    var outputs: [(String, ValueID)] = []
    for (number, item) in items.enumerated() {
      let alone = try CaseFunction(item, symbolic: false)
      expected.append(try Interpreter(alone.function).run(alone.arguments))
      var inputs: [[ValueID]] = []
      for (port, tensors) in zip(type(of: item.op).ports, item.inputs) {
        var values: [ValueID] = []
        for tensor in tensors {
          if item.constants.contains(port.name) {
            values.append(builder.constant(tensor, name: port.name))
          } else {
            values.append(builder.input(port.name, tensor.type))
            arguments.append(tensor)
          }
        }
        inputs.append(values)
      }
      let results = try builder.append(
        item.op,
        inputs,
        names: ["case\(number)"],
        origin: Location(node: item.label, op: type(of: item.op).name)
      )
      outputs += results.enumerated().map { ("case\(number)_out\($0.offset)", $0.element) }
    }
    function = builder.finish(outputs)
  }
}
