import MLCCompiler
import MLCCore
import MLCKernels
import MLCRuntime
import Testing

/// The cases as generated code, on every device that this CPU can be.
@Suite(.serialized) struct CompiledTests {
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
  func generatedCode(_ name: String) throws {
    let device = try DeviceSet([name]).devices[0]
    if let obstacle = CPU.obstacle(isa: device.isa, requires: device.requires) {
      print("skipped \(name): \(obstacle)")
      return
    }
    let items = OperatorCase.all.filter { CompiledExceptions.reason($0) == nil }
    let failures = try CompiledExecutor(device).failures(items)
    #expect(failures.isEmpty, "\(failures.count) of \(items.count) failed:\n\(failures.joined(separator: "\n"))")
  }
}
