import CoreML
import Foundation
import Testing

@Suite struct ShapedArrayTests {
  @Test func isAValue() {
    var a = MLShapedArray<Float>(scalars: [1, 2, 3, 4, 5, 6], shape: [2, 3])
    let b = a
    a[scalarAt: 1, 2] = 60
    #expect(a[scalarAt: [1, 2]] == 60 && b[scalarAt: 1, 2] == 6)
    #expect(a[1].scalars == [4, 5, 60] && a[0][2].scalar == 3 && a.count == 2)
    a[0] = b[1]
    #expect(a.scalars == [4, 5, 6, 4, 5, 60])
  }

  @Test func givesParts() {
    let a = MLShapedArray<Int32>(scalars: 0..<24, shape: [2, 3, 4])
    #expect(a[0..<2, 1...1, 2...].scalars == [6, 7, 18, 19] && a[0..<2, 1...1, 2...].shape == [2, 1, 2])
    #expect(a[1, 2].scalars == [20, 21, 22, 23])
    #expect(a.map { $0.shape } == [[3, 4], [3, 4]])
  }

  @Test func takesParts() {
    var a = MLShapedArray<Int32>(repeating: 0, shape: [2, 2, 3])
    a[0, 1] = MLShapedArraySlice(scalars: [1, 2, 3], shape: [3])
    a[[1, 0]] = [4, 5, 6]
    #expect(a.scalars == [0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0])
    a[0..., 0..<1, ...1] = MLShapedArraySlice(repeating: 9, shape: [2, 1, 2])
    #expect(a.scalars == [9, 9, 0, 1, 2, 3, 9, 9, 6, 0, 0, 0])
    a[[0..<1, 1..<2, 2..<3]].fill(with: 7)
    #expect(a[scalarAt: 0, 1, 2] == 7 && a[scalarAt: [0, 1, 1]] == 2)
    a[0..<1] = a[1..<2]
    #expect(a[0] == a[1] && a[...].scalarCount == 12)
    a.fill(with: [1, 2])
    #expect(a.scalars == [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
  }

  @Test func changesShape() {
    let a = MLShapedArray<Double>(scalars: [1, 2, 3, 4, 5, 6], shape: [1, 2, 3])
    #expect(a.reshaped(to: [3, 2])[scalarAt: 1, 0] == 3)
    #expect(a.squeezingShape().shape == [2, 3] && a.expandingShape(at: 0).shape == [1, 1, 2, 3])
    #expect(a.transposed().scalars == [1, 4, 2, 5, 3, 6] && a.transposed().shape == [3, 2, 1])
    #expect(a.changingLayout(to: .lastMajorContiguous).strides == [1, 1, 2])
    #expect(a.changingLayout(to: .lastMajorContiguous) == a)
    let strided = a.changingLayout(to: .strides([8, 4, 1]))
    #expect(strided.strides == [8, 4, 1] && strided == a)
    var written = MLShapedArray<Int32>(repeating: 0, shape: [2, 3])
    written.withUnsafeMutableShapedBufferPointer(using: .lastMajorContiguous) { elements, shape, strides in
      #expect(shape == [2, 3] && strides == [1, 2])
      _ = elements.update(from: [0, 3, 1, 4, 2, 5])
    }
    #expect(written.scalars == [0, 1, 2, 3, 4, 5])
    #expect(written[1].transposed().scalars == [3, 4, 5])
    #expect(MLShapedArraySlice<Double>(concatenating: [a[0], a[0]], alongAxis: -1).shape == [2, 6])
    let joined = MLShapedArray<Double>(concatenating: [a, a], alongAxis: 1)
    #expect(joined.shape == [1, 4, 3] && joined.scalars == a.scalars + a.scalars)
  }

  @Test func isMadeInEveryWay() throws {
    let filled = MLShapedArray<Float>(unsafeUninitializedShape: [2, 2]) { elements, strides in
      for index in elements.indices { elements.initializeElement(at: index, to: Float(index * strides[0])) }
    }
    #expect(filled.scalars == [0, 2, 4, 6])
    #expect(MLShapedArray<Int32>(repeating: 7, shape: [2]).scalars == [7, 7])
    #expect(MLShapedArray<Float>(identityMatrixOfSize: 2).scalars == [1, 0, 0, 1])
    #expect(MLShapedArray<Float16>(scalar: 3).scalar == 3 && MLShapedArray<Float>(scalar: 1).isScalar)
    let bytes = Data([1, 0, 0, 0, 2, 0, 0, 0])
    #expect(MLShapedArray<Int32>(data: bytes, shape: [2]).scalars == [1, 2])
    let two: Float = 2
    let literal: MLShapedArray<Float> = [1, two, 3]
    #expect(literal.shape == [3] && literal.scalars == [1, 2, 3])
    #expect(MLShapedArray<Int32>(scalars: 0..., shape: [2, 2]).scalars == [0, 1, 2, 3])
    #expect(MLShapedArray<Float>(scalars: [1, 2, 3, 4, 5], shape: [2, 2]).scalars == [1, 2, 3, 4])
    #expect(MLShapedArray<Int32>(converting: literal).scalars == [1, 2, 3])
    let random = MLShapedArray<Float>(randomScalarsIn: 2..<3, shape: [4, 5])
    #expect(random.scalarCount == 20 && random.scalars.allSatisfy { (2..<3).contains($0) })
    let decoded = try JSONDecoder().decode(MLShapedArray<Float>.self, from: JSONEncoder().encode(filled))
    #expect(decoded == filled)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(MLShapedArray<Float>.self, from: Data(#"{"shape": [3], "scalars": [1]}"#.utf8))
    }
  }

  @Test func viewsMemoryUntilWritten() {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2)
    memory.initialize(repeating: 1, count: 2)
    nonisolated(unsafe) var freed = false  // one thread
    do {
      var array = MLShapedArray<Float>(
        bytesNoCopy: memory,
        shape: [2],
        deallocator: .custom { _, _ in freed = true }
      )
      array[scalarAt: 0] = 5
      #expect(memory[0] == 1 && array.scalars == [5, 1])
    }
    #expect(freed)
    memory.deallocate()
  }
}
