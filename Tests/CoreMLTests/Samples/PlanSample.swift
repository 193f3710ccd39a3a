import CoreML
import Foundation
import Testing

// A tool for developers that lists where the operations of a model run and what they cost.

private struct PlanPrinter {
  struct Line {
    let name: String, device: String, cost: Double
  }

  static func lines(of url: URL) async throws -> [Line] {
    let plan = try await MLComputePlan.load(contentsOf: url, configuration: MLModelConfiguration())
    guard case .program(let program) = plan.modelStructure else { fatalError("no program") }
    guard let main = program.functions["main"] else { fatalError("no main function") }
    var lines: [Line] = []
    for operation in main.block.operations {
      guard let usage = plan.deviceUsage(for: operation), let cost = plan.estimatedCost(of: operation) else { continue }
      let device =
        switch usage.preferred {
        case .cpu: "CPU"
        case .gpu: "GPU"
        case .neuralEngine: "Neural Engine"
        @unknown default: "unknown"
        }
      lines.append(Line(name: operation.operatorName, device: device, cost: cost.weight))
    }
    return lines
  }
}

@Suite struct PlanSample {
  @Test func operationsAreListed() async throws {
    let lines = try await PlanPrinter.lines(of: Models.heavy.get())
    #expect(lines.count == 80 && lines.allSatisfy { $0.device == "CPU" })
    #expect(abs(lines.reduce(0) { $0 + $1.cost } - 1) < 1e-9)
    let products = lines.filter { $0.name == "matmul" }.reduce(0) { $0 + $1.cost }
    #expect(products > 0.5, "products cost most")
  }
}
