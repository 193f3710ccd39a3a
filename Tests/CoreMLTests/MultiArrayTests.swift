import CoreML
import Foundation
import Testing

@Suite struct MultiArrayTests {
  @Test func beginsWithZeros() throws {
    let array = try MLMultiArray(shape: [2, 3], dataType: .float32)
    #expect(array.count == 6 && array.shape == [2, 3] && array.strides == [3, 1])
    #expect((0..<6).allSatisfy { array[$0].floatValue == 0 })
  }

  @Test func rejectsShapesThatNoArrayHas() {
    #expect(throws: MLModelError.self) { try MLMultiArray(shape: [-1, 3], dataType: .float32) }
    #expect(throws: MLModelError.self) {
      try MLMultiArray(shape: [NSNumber(value: Int.max), NSNumber(value: Int.max)], dataType: .float32)
    }
  }

  @Test(arguments: [MLMultiArrayDataType.double, .float32, .float16, .int32, .int8])
  func holdsEveryElementType(dataType: MLMultiArrayDataType) throws {
    let array = try MLMultiArray(shape: [2, 2], dataType: dataType)
    array[0] = 5
    array[[1, 0] as [NSNumber]] = NSNumber(value: -3)
    #expect(array[0].intValue == 5 && array[2].intValue == -3 && array[[0, 0] as [NSNumber]].doubleValue == 5)
    let (typed, converted): (Int32, Double) = (array[2], array[[1, 0]])
    #expect(typed == -3 && converted == -3)
  }

  @Test func numbersSaturateInNarrowTypes() throws {
    let array = try MLMultiArray(shape: [3], dataType: .int8)
    array[0] = 1000
    array[1] = NSNumber(value: -1e30)
    array[2] = NSNumber(value: Double.nan)
    #expect(array[0].intValue == 127 && array[1].intValue == -128 && array[2].intValue == 0)
  }

  @Test func indicesFollowStrides() throws {
    // Two rows of three, a gap of one behind each.
    let pointer = UnsafeMutablePointer<Float>.allocate(capacity: 7)
    for index in 0..<7 { pointer[index] = Float(index) }
    nonisolated(unsafe) var freed = 0  // one thread
    do {
      let array = try MLMultiArray(
        dataPointer: pointer,
        shape: [2, 3],
        dataType: .float32,
        strides: [4, 1]
      ) {
        $0.deallocate()
        freed += 1
      }
      #expect((0..<6).map { array[$0].intValue } == [0, 1, 2, 4, 5, 6])
      array.withUnsafeBufferPointer(ofType: Float.self) { #expect($0.count == 7 && $0[6] == 6) }
      array.withUnsafeMutableBytes { bytes, strides in #expect(bytes.count == 28 && strides == [4, 1]) }
      let shaped = MLShapedArray<Float>(array)
      #expect(shaped.scalars == [0, 1, 2, 4, 5, 6] && MLMultiArray(shaped) == array)
    }
    #expect(freed == 1)
    #expect(throws: MLModelError.self) {
      try MLMultiArray(dataPointer: pointer, shape: [2, 3], dataType: .float32, strides: [-4, 1])
    }
  }

  @Test func isMadeOfCollections() throws {
    #expect(try MLMultiArray([1, 2, 3]).dataType == .int32)
    #expect(try MLMultiArray([1.5, 2]).dataType == .double)
    #expect(try MLMultiArray([Float(1.5)]).dataType == .float32)
    #expect(throws: MLModelError.self) { try MLMultiArray([Int.max]) }
  }

  @Test func concatenates() throws {
    let (a, b) = (
      try MLMultiArray(shape: [2, 1], dataType: .float32), try MLMultiArray(shape: [2, 2], dataType: .int32)
    )
    for index in 0..<2 { a[index] = NSNumber(value: index) }
    for index in 0..<4 { b[index] = NSNumber(value: 10 + index) }
    let joined = MLMultiArray(concatenating: [a, b], axis: 1, dataType: .double)
    #expect(joined.shape == [2, 3] && joined.dataType == .double)
    #expect((0..<6).map { joined[$0].intValue } == [0, 10, 11, 1, 12, 13])
  }

  @Test func transfersIntoOtherTypes() throws {
    let (from, to) = (try MLMultiArray([1.25, 2.5, -7.75]), try MLMultiArray(shape: [3], dataType: .float16))
    from.transfer(to: to)
    #expect((0..<3).map { to[$0].doubleValue } == [1.25, 2.5, -7.75])
  }
}

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

  @Test func changesShape() {
    let a = MLShapedArray<Double>(scalars: [1, 2, 3, 4, 5, 6], shape: [1, 2, 3])
    #expect(a.reshaped(to: [3, 2])[scalarAt: 1, 0] == 3)
    #expect(a.squeezingShape().shape == [2, 3] && a.expandingShape(at: 0).shape == [1, 1, 2, 3])
    #expect(a.transposed().scalars == [1, 4, 2, 5, 3, 6] && a.transposed().shape == [3, 2, 1])
    #expect(a.changingLayout(to: .lastMajorContiguous).strides == [1, 1, 2])
    #expect(a.changingLayout(to: .lastMajorContiguous) == a)
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
    let literal: MLShapedArray<Float> = [1, 2, 3]
    #expect(literal.shape == [3] && literal.scalars == [1, 2, 3])
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
