import MLCCore
import MLCKernels

extension GemmProblem {
  /// The same product with k counted in pairs of bfloat16 where `device` rounds factors so and the right operand is a
  /// plain constant; this otherwise. The last pair of an odd k has a zero.
  func inPairs(on device: DeviceDescription) -> GemmProblem {
    guard device.roundsFactors == true, paired == nil, constant != nil, sumElement == .float32,
      let depth = matmul.k.extent.constant, depth > 1
    else { return self }
    var result = self
    result.paired = depth
    result.matmul.k.extent = Dim((depth + 1) / 2)
    return result
  }
}
