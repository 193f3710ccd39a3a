import CoreML
import Foundation
import Testing

/// Ways to make tensors, with calls as applications write them.
@Suite struct TensorMakingTests {
  private func floats(_ tensor: MLTensor) async -> [Float] { await tensor.shapedArray(of: Float.self).scalars }
  private func expect(_ tensor: MLTensor, floats: [Float], at place: SourceLocation = #_sourceLocation) async {
    let values = await self.floats(tensor)
    #expect(values == floats, sourceLocation: place)
  }

  private func expect(_ tensor: MLTensor, integers: [Int32], at place: SourceLocation = #_sourceLocation) async {
    let values = await self.integers(tensor)
    #expect(values == integers, sourceLocation: place)
  }

  private func integers(_ tensor: MLTensor) async -> [Int32] { await tensor.shapedArray(of: Int32.self).scalars }

  @Test func scalarsAndMemory() async {
    let x = MLTensor([1.0, 2.0, 3.0, 4.0])
    #expect(x.shape == [4] && x.rank == 1 && x.scalarCount == 4 && x.scalarType is Float.Type && !x.isScalar)
    await expect(MLTensor([1, 2] as [Int32]), integers: [1, 2])
    #expect(MLTensor([true, false]).scalarType is Bool.Type && MLTensor(Float16(2)).isScalar)
    await expect(MLTensor(shape: [2, 2], scalars: [1, 2, 3, 4]), floats: [1, 2, 3, 4])
    #expect(MLTensor(shape: [0, 3], scalars: [UInt8](), scalarType: UInt8.self).shape == [0, 3])
    let bytes = Data([1, 0, 0, 0, 2, 0, 0, 0])
    await expect(MLTensor(shape: [2], data: bytes, scalarType: Int32.self), integers: [1, 2])
    let filled = MLTensor(unsafeUninitializedShape: [3], scalarType: Float.self) { memory in
      for index in 0..<3 { memory.storeBytes(of: Float(index), toByteOffset: index * 4, as: Float.self) }
    }
    await expect(filled, floats: [0, 1, 2])
  }

  @Test func valuesAndSequences() async {
    await expect(MLTensor(repeating: 2.5, shape: [2, 2]), floats: [2.5, 2.5, 2.5, 2.5])
    await expect(MLTensor(zeros: [2], scalarType: Int32.self), integers: [0, 0])
    await expect(MLTensor(ones: [2], scalarType: Float.self), floats: [1, 1])
    #expect(MLTensor(ones: [2], scalarType: UInt16.self).scalarType is UInt16.Type)
    let half = MLTensor(repeating: Float16(1.5), shape: [5])
    await expect(half.cast(to: Float.self), floats: [1.5, 1.5, 1.5, 1.5, 1.5])
    await expect(MLTensor(linearSpaceFrom: 0, through: 1, count: 5), floats: [0, 0.25, 0.5, 0.75, 1])
    await expect(MLTensor(linearSpaceFrom: 3, through: 9, count: 1), floats: [3])
    await expect(MLTensor(rangeFrom: 0, to: 1, by: 0.25), floats: [0, 0.25, 0.5, 0.75])
    await expect(MLTensor(rangeFrom: 5, to: 0, by: -2, scalarType: Int32.self), integers: [5, 3, 1])
  }

  @Test func literals() async {
    let matrix: MLTensor = [[1, 2], [3, 4]]
    #expect(matrix.shape == [2, 2] && matrix.scalarType is Int32.Type)
    let mixed: MLTensor = [1, 2.5]
    await expect(mixed, floats: [1, 2.5])
    let x = MLTensor([1, 2, 3] as [Float])
    await expect(x + 1, floats: [2, 3, 4])
    await expect(2.0 * x, floats: [2, 4, 6])
    let factor: Float = 3
    await expect(x * factor, floats: [3, 6, 9])
    await expect(factor - x, floats: [2, 1, 0])
    var sum = x
    sum += x
    sum /= 2
    sum -= 1
    await expect(sum, floats: [0, 1, 2])
    let flag: MLTensor = true
    #expect(flag.scalarType is Bool.Type)
    await expect((flag .& [true, false]).cast(to: Int32.self), integers: [1, 0])
  }

  @Test func joinsAndParts() async {
    let x = MLTensor(shape: [2, 2], scalars: [1, 2, 3, 4])
    #expect(MLTensor([x, x]).shape == [2, 2, 2] && MLTensor([x, x], alongAxis: 2).shape == [2, 2, 2])
    #expect(x.split(count: 2, alongAxis: 1).map { $0.shape } == [[2, 1], [2, 1]])
    let rows = x.unstacked()
    #expect(rows.count == 2)
    await expect(rows[1], floats: [3, 4])
    #expect(x.expandingShape(at: 0, -1).shape == [1, 2, 2, 1])
    #expect(x.expandingShape(at: 1).squeezingShape(at: 1).shape == [2, 2])
    #expect(x[.newAxis, ..., 0].shape == [1, 2] && x[.newAxis][.squeezeAxis, ...].shape == [2, 2])
    await expect(x[..., 0], floats: [1, 3])
    await expect(x[1], floats: [3, 4])
    #expect(x[nil, 0...1, 1...].shape == [1, 2, 1])
    await expect(x[0, ...], floats: [1, 2])
    await expect(x[0..., 1..., ...], floats: [2, 4])
    let padded = x.padded(forSizes: [(0, 0), (1, 0)], with: 7)
    await expect(padded, floats: [7, 1, 2, 7, 3, 4])
  }

  @Test func gathersAndReplaces() async {
    let x = MLTensor(shape: [3, 3], scalars: [0, 1, 2, 10, 11, 12, 20, 21, 22], scalarType: Float.self)
    let i = MLTensor([2, 1], scalarType: Int32.self)
    await expect(x.gathering(atIndices: i, alongAxis: 1), floats: [2, 1, 12, 11, 22, 21])
    let rows = MLTensor(shape: [2, 1], scalars: [2, 1], scalarType: Int32.self)
    await expect(x.gathering(atIndices: rows), floats: [20, 21, 22, 10, 11, 12])
    let y = MLTensor(shape: [2, 3], scalars: [10, 30, 20, 60, 40, 50], scalarType: Float.self)
    let places = MLTensor(shape: [2, 1], scalars: [1, 0], scalarType: Int32.self)
    await expect(y.replacing(atIndices: places, with: Float(99), alongAxis: 1), floats: [10, 99, 20, 99, 40, 50])
    await expect(y.replacing(with: Float(0), where: y .> 30), floats: [10, 30, 20, 0, 0, 0])
  }

  @Test func randomNumbers() async {
    // Philox of key 0 and counter 0 begins with 6627e8d5 (Random123's known answers).
    let first = await MLTensor(randomUniform: [1], in: Float(0)..<1, seed: 0).shapedArray(of: Float.self).scalars[0]
    #expect(first == Float(0x6627e8) / Float(1 << 24))
    let a = MLTensor(randomUniform: [100_003], in: Float(-2)..<3, seed: 9)
    let values = await floats(a)
    #expect(values.allSatisfy { (-2..<3).contains($0) })
    #expect(abs(values.reduce(0, +) / 100_003 - 0.5) < 0.02)
    await expect(MLTensor(randomUniform: [7], in: Float(-2)..<3, seed: 9), floats: Array(values.prefix(7)))
    let normal = MLTensor(randomNormal: [200_000], mean: 3, standardDeviation: 2, seed: 1, scalarType: Float.self)
    let (mean, square) = (await floats(normal.mean())[0], await floats((normal - 3).squared().mean())[0])
    #expect(abs(mean - 3) < 0.02 && abs(square - 4) < 0.05)
    let within = await floats(((normal - 3).abs() .< 2).cast(to: Float.self).mean())[0]
    #expect(abs(within - 0.6827) < 0.005)
    let dice = await integers(MLTensor(randomUniform: [60_000], in: Int32(1)...6, seed: 2))
    for face in 1...6 { #expect(abs(dice.filter { $0 == face }.count - 10_000) < 400) }
    let (one, other) = (MLTensor(randomUniform: [9], in: Float(0)..<1), MLTensor(randomUniform: [9], in: Float(0)..<1))
    let (some, others) = (await floats(one), await floats(other))
    #expect(some != others)
    let half = MLTensor(randomUniform: [9999], in: Float16(0)..<1, seed: 4)
    let halves = await half.shapedArray(of: Float16.self).scalars
    #expect(halves.allSatisfy { (0..<1).contains($0) })
  }

  @Test func describesItself() {
    let x = MLTensor(zeros: [2, 3], scalarType: Float.self)
    #expect(x.description == "MLTensor(shape: [2, 3], scalarType: Float)")
    #expect(Mirror(reflecting: x).children.map { $0.label } == ["shape", "scalarType"])
    #expect(MLTensor.ResizeMethod.bilinear(alignCorners: true).description == "bilinear(alignCorners: true)")
    #expect(MLTensor.PaddingMode.constant(0).description == "constant(0.0)")
    #expect(MLComputePolicy.cpuOnly == MLComputePolicy(.cpuOnly) && MLComputePolicy.cpuOnly != .cpuAndGPU)
    #expect(MLComputePolicy.cpuOnly.description == "MLComputePolicy(cpuOnly)")
  }

  @Test func policiesRunTheirBodies() async {
    let x = MLTensor([1, 2] as [Float])
    let sum = withMLTensorComputePolicy(.cpuOnly) { x + x }
    let values = await withMLTensorComputePolicy(.cpuAndGPU) { await floats(sum) }
    #expect(values == [2, 4])
  }

  @Test func mistakesTrap() async {
    await #expect(processExitsWith: .failure) { _ = MLTensor([1, 2] as [Float]) + MLTensor([1, 2, 3] as [Float]) }
    await #expect(processExitsWith: .failure) { _ = MLTensor([1] as [Float]) + MLTensor([1] as [Int32]) }
    await #expect(processExitsWith: .failure) { _ = MLTensor([1] as [Int32]).exp() }
    await #expect(processExitsWith: .failure) { _ = MLTensor([1] as [Float]).reshaped(to: [2]) }
    await #expect(processExitsWith: .failure) { _ = MLTensor([1] as [Float]).sum(alongAxes: 1) }
    await #expect(processExitsWith: .failure) { _ = MLTensor([1] as [Float])[1] }
    await #expect(processExitsWith: .failure) { _ = MLTensor(repeating: 0, shape: [1 << 31, 1 << 31]) }
    await #expect(processExitsWith: .failure) { _ = await MLTensor([1] as [Float]).shapedArray(of: Int32.self) }
    await #expect(processExitsWith: .failure) {
      let far = MLTensor([7] as [Int32])
      _ = await MLTensor([1] as [Float]).gathering(atIndices: far, alongAxis: 0).shapedArray(of: Float.self)
    }
  }
}
