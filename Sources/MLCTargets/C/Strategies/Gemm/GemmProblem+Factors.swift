import MLCCore
import MLCKernels

extension GemmProblem {
  /// What the factors of a product are rounded to.
  struct Factors {
    let type: DType
    /// Elements of a row of the left operand.
    let depth: Int
    /// Words of a packed row are a multiple of so many, zeros behind the last element.
    var wordsPerStep = 1

    /// Whether each step of k multiplies two.
    var arePairs: Bool { type == .bfloat16 }
    /// Words of a packed row.
    var words: Int { ((depth + 1) / 2 + wordsPerStep - 1) / wordsPerStep * wordsPerStep }
  }

  /// The same product of rounded factors where `device` rounds them and the right operand is a plain constant; this
  /// otherwise. Of bfloat16 k is counted in pairs, and the last pair of an odd k has a zero.
  func rounded(on device: DeviceDescription) -> GemmProblem {
    guard let type = device.factors, factors == nil, constant != nil, sumElement == .float32,
      let depth = matmul.k.extent.constant, depth > 1, ConstantPanels(self, width: 1) != nil
    else { return self }
    var result = self
    let factors = Factors(type: type, depth: depth)
    result.factors = factors
    if factors.arePairs { result.matmul.k.extent = Dim(factors.words) }
    return result
  }

  /// The same product with words of k counted in whole rows of tiles; `nil` where they are neither pairs nor bytes.
  func inTiles() -> GemmProblem? {
    var result = self
    if areBytes, let words = matmul.k.extent.constant {
      result.wordsPerRow = words
      result.matmul.k.extent = Dim((words + TileShape.words - 1) / TileShape.words * TileShape.words)
      return result
    }
    guard var factors, factors.arePairs else { return nil }
    factors.wordsPerStep = TileShape.words
    result.factors = factors
    result.matmul.k.extent = Dim(factors.words)
    return result
  }

  var arePairs: Bool { factors?.arePairs == true }
  /// Whether sums begin as float16 (`HalfSums`).
  var areHalves: Bool { factors?.type == .float16 }

  /// `device` with the lanes of the sums that micro-kernels form.
  func counting(_ device: DeviceDescription) -> DeviceDescription {
    guard areHalves else { return device }
    var device = device
    device.vectorBits *= 2
    return device
  }
}
