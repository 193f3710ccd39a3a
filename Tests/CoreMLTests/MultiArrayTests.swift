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
    #expect(array[[1, 0]].intValue == -3)
  }

  @Test func numbersOfTheArraysTypeNeedNoObject() throws {
    let array = try MLMultiArray(shape: [2, 2], dataType: .float32)
    let value: Float = 0.5
    array[1] = value
    array[[1, 0]] = 2 * value
    array[3] = 0.25
    let (half, one): (Float, Float) = (array[1], array[[1, 0]])
    #expect(half == 0.5 && one == 1 && array[3].floatValue == 0.25)
  }

  @Test func numbersOfOtherTypesEndTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let array = try MLMultiArray(shape: [2], dataType: .int32)
      let value: Float = array[0]
      print(value)
    }
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
    #expect(MLMultiArray(byConcatenatingMultiArrays: [a, b], alongAxis: 1, dataType: .double) == joined)
  }

  @Test func concatenatesAlongAnAxisFromTheLast() throws {
    let a = try MLMultiArray(shape: [2, 3], dataType: .int32)
    let b = try MLMultiArray(shape: [2, 2], dataType: .int32)
    #expect(MLMultiArray(concatenating: [a, b], axis: -1, dataType: .int32).shape == [2, 5])
  }

  /// Literals are numbers of whatever the array holds.
  @Test(arguments: [MLMultiArrayDataType.double, .float32, .float16, .int32, .int8])
  func takesLiterals(dataType: MLMultiArrayDataType) throws {
    let array = try MLMultiArray(shape: [2, 2], dataType: dataType)
    array[0] = 3.0
    array[1] = 4
    array[[1, 0]] = 5.0
    array[[1, 1]] = 6
    #expect((0..<4).map { Float(truncating: array[$0]) } == [3, 4, 5, 6])
    #expect(array[[1, 0]].intValue == 5 && array[[NSNumber(value: 1), 1]].doubleValue == 6)
  }

  /// Numbers below and above those of which there are shared objects.
  @Test(arguments: [MLMultiArrayDataType.double, .float32, .float16, .int32])
  func givesNumbersOfEveryMagnitude(dataType: MLMultiArrayDataType) throws {
    let numbers = [-2000, -129, -128, -1, 0, 1, 127, 128, 1023, 1024, 2048]
    let array = try MLMultiArray(shape: [NSNumber(value: numbers.count)], dataType: dataType)
    for (index, number) in numbers.enumerated() { array[index] = NSNumber(value: number) }
    #expect(numbers.indices.map { array[$0].intValue } == numbers)
    #expect(numbers.indices.map { array[[$0] as [NSNumber]].doubleValue } == numbers.map { Double($0) })
  }

  @Test func bytesAreAllNumbersOfThem() throws {
    let array = try MLMultiArray(shape: [256], dataType: .int8)
    for index in 0..<256 { array[index] = NSNumber(value: index - 128) }
    #expect((0..<256).map { array[$0].intValue } == (0..<256).map { $0 - 128 })
  }

  @Test func accessFollowsStrides() throws {
    let array = MLMultiArray(shape: [2, 3], dataType: .float16, strides: [7, 2])
    for index in 0..<6 { array[index] = NSNumber(value: Float(index) + 0.5) }
    array[[1, 2]] = Float16(9)
    let (linear, indexed): ([Double], [Float16]) = (
      (0..<6).map { array[$0].doubleValue }, [array[[0, 1]], array[[1, 2]]]
    )
    #expect(linear == [0.5, 1.5, 2.5, 3.5, 4.5, 9] && indexed == [1.5, 9])
    array.withUnsafeBufferPointer(ofType: Float16.self) { #expect($0[7] == 3.5 && $0[11] == 9 && $0[1] == 0) }
    #expect(array.shape == [2, 3] && array.strides == [7, 2] && array.shape[1].intValue == 3)
  }

  @Test func transfersIntoOtherTypes() throws {
    let (from, to) = (try MLMultiArray([1.25, 2.5, -7.75]), try MLMultiArray(shape: [3], dataType: .float16))
    from.transfer(to: to)
    #expect((0..<3).map { to[$0].doubleValue } == [1.25, 2.5, -7.75])
  }
}
