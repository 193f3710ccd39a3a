import CoreML
import Foundation
import Testing

@Suite struct BufferPointerTests {
  @Test func areTheElements() throws {
    let array = try MLMultiArray(shape: [2, 2], dataType: .float32)
    let target = try UnsafeMutableBufferPointer<Float>(array)
    for index in target.indices { target[index] = Float(index) / 2 }
    let source = try UnsafeBufferPointer<Float>(array)
    #expect(Array(source) == [0, 0.5, 1, 1.5] && array[[1, 1]] == 1.5)
    withExtendedLifetime(array) {}
    let spaced = MLMultiArray(shape: [2, 2], dataType: .int32, strides: [4, 1])
    #expect(try UnsafeBufferPointer<Int32>(spaced).count == 6)
  }

  @Test func ofOtherElementsAreRefused() throws {
    let array = try MLMultiArray(shape: [2], dataType: .float32)
    #expect(throws: MLModelError.self) { try UnsafeBufferPointer<Double>(array) }
    #expect(throws: MLModelError.self) { try UnsafeMutableBufferPointer<String>(array) }
  }
}
