import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCKernels
import MLCPackage
import MLCRuntime
import MLCTargetC

/// A function for this processor and a simulated device beside it, which run the steps that a placement gives them.
package final class PlacedRun {
  private let path: String
  package let log = SimulatedLog()
  /// How many segments the function is in.
  package let segments: Int

  /// Device 1 of `placement` is the simulated one; one for `elementwise` takes loop nests alone.
  package init(
    _ function: Function,
    _ placement: Placement,
    elementwise: Bool = false
  ) throws(Diagnostic) {
    path = FileManager.default.temporaryDirectory.appending(path: "mlc-placed-\(UUID()).mlmodelc").path()
    let processor = try DeviceSet(["host"]).devices[0]
    var options = CompileOptions()
    options.sizeLimit = CompiledRunner.sizeLimit
    options.accelerators = [SimulatedTarget.device(like: processor, elementwise: elementwise)]
    options.placement = placement
    let targets: [any Target.Type] = [CTarget.self, SimulatedTarget.self]
    _ = try Compiler(options, targets: targets).compile(Program([function]), to: path)
    segments = try PackageReader.manifest(at: path).targets[0].code[0].segments.count
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The model; its simulated device has a memory of its own, or is this processor.
  package func load(isSeparate: Bool, _ options: Model.Options = .init()) throws(Diagnostic) -> Model {
    let device = try SimulatedDriver(isSeparate: isSeparate, log: log)
    return try Model.load(path: path, drivers: [try CPUDriver(threads: 2), device], options: options)
  }

  /// What both make of each list of arguments, where their bits are the same. Throws `test.bits` where they are not.
  package func outputs(_ runs: [[Tensor]]) throws(Diagnostic) -> [[Tensor]] {
    let (apart, together) = (try load(isSeparate: true), try load(isSeparate: false))
    var results: [[Tensor]] = []
    for (number, arguments) in runs.enumerated() {
      let outputs = try apart.predict(arguments)
      for (index, pair) in zip(outputs, try together.predict(arguments)).enumerated() where pair.0 != pair.1 {
        throw Diagnostic("test.bits", "run \(number): output \(index) has other bits on the device", kind: .bug)
      }
      results.append(outputs)
    }
    let faults = log.faults
    if faults > 0 { throw Diagnostic("test.address", "\(faults) addresses are none of the device's", kind: .bug) }
    return results
  }
}

extension Placement {
  /// Every step on the simulated device.
  package static let device = Placement { program, _ in program.steps.map { _ in 1 } }

  /// Steps on either as drawn from `seed`, about `length` in a row.
  package static func drawn(_ seed: UInt64, runs length: Int = 1) -> Placement {
    Placement { program, _ in
      var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
      var place = 0
      return program.steps.map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        if (state >> 32) % UInt64(length + 1) == 0 { place = 1 - place }
        return place
      }
    }
  }
}
