/// On which devices tensors are computed. There is one choice on this system, the processor: every policy runs there.
public struct MLComputePolicy: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  private let computeUnits: MLComputeUnits

  /// The policy that these processors compute.
  public init(_ computeUnits: MLComputeUnits) { self.computeUnits = computeUnits }

  /// The processor alone.
  public static var cpuOnly: MLComputePolicy { MLComputePolicy(.cpuOnly) }
  /// The processor and a graphics processor.
  public static var cpuAndGPU: MLComputePolicy { MLComputePolicy(.cpuAndGPU) }

  /// The name, and the processors.
  public var description: String { "MLComputePolicy(\(computeUnits))" }
  /// The processors.
  public var customMirror: Mirror { Mirror(self, children: ["computeUnits": computeUnits], displayStyle: .struct) }
}

/// Runs `body`, whose tensors are computed on the devices of the policy: here, the processor.
public func withMLTensorComputePolicy<Result>(
  _ computePolicy: MLComputePolicy,
  _ body: () throws -> Result
) rethrows -> Result {
  try body()
}

/// Runs `body`, whose tensors are computed on the devices of the policy: here, the processor.
public func withMLTensorComputePolicy<R>(
  _ computePolicy: MLComputePolicy,
  _ body: () async throws -> R
) async rethrows -> R {
  try await body()
}
