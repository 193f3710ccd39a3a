import Foundation
import MLCCore
import MLCKernels
import MLCPackage

/// One segment of a function as code for its device, not built yet: others may still append to the weights it shares.
struct SegmentModule {
  let wiring: SegmentWiring
  let module: any TargetModule
  let plan: KernelPlan
  /// The weights of a device that copies all of them, which are its own; `nil` for a processor's.
  let ownWeights: WeightFile.Finished?
  private let device: Manifest.Device
  private let folder: String

  /// What a package gets.
  struct Built {
    let segment: PackageContents.Segment
    let codeBytes: Int
  }

  /// The processors' weights go to `shared`. Writes in `folder`, which is empty.
  init(
    _ segment: Partition.Segment,
    _ target: any Target,
    weights shared: inout WeightFile,
    in folder: String,
    budget: Budget
  ) throws(Diagnostic) {
    let program = segment.program
    let memory = MemoryPlan(program)
    if segment.device == 0 {
      module = try target.module(for: program, plan: memory, weights: &shared, budget: budget)
      ownWeights = nil
    } else {
      var own = try WeightFile(path: "\(folder)/weights.bin")
      module = try target.module(for: program, plan: memory, weights: &own, budget: budget)
      ownWeights = try own.finish()
    }
    plan = KernelPlan(steps: module.steps.map { $0.planned })
    wiring = SegmentWiring(
      device: segment.device,
      inputs: segment.inputs,
      outputs: segment.outputs,
      sizes: program.sizesSet.sorted(),
      statesInPlace: program.statesInPlace
    )
    (device, self.folder) = (target.device.manifest, folder)
  }

  /// Builds it as a part of `interface`, whose segments exchange `values`; `shared` are the processors' weights. Each
  /// tool that is run may take `limits`.
  func build(
    of interface: FunctionInterface,
    values: [TensorType],
    weights shared: WeightFile.Finished,
    limits: ChildLimits
  ) throws(Diagnostic) -> Built {
    let weights = ownWeights ?? shared
    let identity = CodeIdentity(
      interface,
      wiring,
      values: values,
      device,
      weights: weights.digest,
      plan: plan.digest
    )
    let library = try module.build(identity: identity.bytes, in: folder, limits: limits)
    return Built(
      segment: PackageContents.Segment(
        wiring,
        kernels: .file(library),
        weights: .file(weights.path),
        gathered: module.gatheredWeights,
        plan: plan
      ),
      codeBytes: (try? FileManager.default.attributesOfItem(atPath: library)[.size] as? Int) ?? 0
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
      bytes: bytes,
      kind: kind,
      factors: factors
    )
  }
}
