import MLCCompiler
import MLCCore
import MLCKernels
import MLCRuntime
import TestSupport
import Testing

/// Compares code for the device `name` with the interpreter on drawn cases, with known and with open sizes.
func expectAgreement(_ name: String, _ items: [OperatorCase]) throws {
  let device = try DeviceSet([name]).devices[0]
  if let obstacle = CPU.obstacle(isa: device.isa, requires: device.requires) {
    print("skipped \(name): \(obstacle)")
    return
  }
  let open = items.compactMap { PlayedCase(symbolic: $0) }.filter { $0.runs[0][0].count < 20_000 }
  let failures = try CompiledRunner(device).failures(items.map { PlayedCase($0) } + open)
  #expect(failures.isEmpty, "\(failures.count) failed:\n\(failures.joined(separator: "\n"))")
}
