import Foundation
import MLCCore
import MLCKernels
import MLCPackage

/// One segment of a function, compiled for its device.
struct SegmentBuild {
  let segment: PackageContents.Segment
  let module: any TargetModule
  let codeBytes: Int
  /// The file of weights: a package stores equal ones once.
  let weights: (digest: String, byteCount: Int)

  /// `code` has the values that segments exchange. Builds in `folder`, which is empty; each tool that is run may take
  /// `limits`.
  init(
    _ segment: Partition.Segment,
    of interface: FunctionInterface,
    values: [TensorType],
    _ target: any Target,
    in folder: String,
    limits: ChildLimits,
    budget: Budget
  ) throws(Diagnostic) {
    let program = segment.program
    var weights = try WeightFile(path: "\(folder)/weights.bin")
    module = try target.module(for: program, plan: MemoryPlan(program), weights: &weights, budget: budget)
    try weights.finish()
    let plan = KernelPlan(steps: module.steps.map { $0.planned })
    let wiring = SegmentWiring(
      device: segment.device,
      inputs: segment.inputs,
      outputs: segment.outputs,
      sizes: program.sizesSet.sorted()
    )
    let identity = CodeIdentity(
      interface,
      wiring,
      values: values,
      target.device.manifest,
      weights: weights.digest,
      plan: plan.digest
    )
    let library = try module.build(identity: identity.bytes, in: folder, limits: limits)
    try budget.checkTime()
    self.weights = (weights.digest, weights.byteCount)
    codeBytes = (try? FileManager.default.attributesOfItem(atPath: library)[.size] as? Int) ?? 0
    self.segment = PackageContents.Segment(
      wiring,
      kernels: .file(library),
      weights: .file(weights.path),
      plan: plan
    )
  }
}

extension DeviceDescription {
  /// What a package says of the device.
  package var manifest: Manifest.Device { Manifest.Device(name: name, family: family, isa: isa, requires: requires) }
}

extension ModuleStep {
  fileprivate var planned: KernelPlan.Step {
    KernelPlan.Step(
      kernel,
      origins: origins.compactMap { origin in
        origin.node.map { KernelPlan.Origin(node: $0, op: origin.op ?? "") }
      },
      results: results,
      operations: operations,
      bytes: bytes
    )
  }
}
