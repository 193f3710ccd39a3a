import CoreML
import Foundation

/// Element access, each way beside the same loop over a Swift `Array`. Elements are no small whole numbers, of which
/// Core ML's arrays keep objects, except where a row says so.
struct ArrayBenchmark {
  private static let (rows, columns) = (1024, 1024)
  private let count = rows * columns
  private let floats: [Float]
  private let integers: [Int32]
  private let array: MLMultiArray
  private let integerArray: MLMultiArray
  private let shaped: MLShapedArray<Float>

  init() throws {
    let (rows, columns) = (Self.rows, Self.columns)
    floats = (0..<rows * columns).map { Float($0 % 97) + 0.25 }
    integers = (0..<rows * columns).map { Int32($0 % 97) &+ 5000 }
    shaped = MLShapedArray(scalars: floats, shape: [rows, columns])
    array = MLMultiArray(shaped)
    integerArray = MLMultiArray(MLShapedArray(scalars: integers, shape: [rows, columns]))
  }

  func run() throws {
    readByIndex()
    writeByIndex()
    readByIndices()
    writeByIndices()
    readAll()
  }

  private func readByIndex() {
    let (array, integerArray, floats, integers) = (array, integerArray, floats, integers)
    var plain = row("sum an Array of Float by index", 30, nil) {
      var sum: Float = 0
      for index in 0..<floats.count { sum += floats[index] }
      use(sum)
    }
    row("… MLMultiArray as Float", 30, plain) {
      var sum: Float = 0
      for index in 0..<array.count { sum += array[index] }
      use(sum)
    }
    row("… MLMultiArray as NSNumber", 3, plain) {
      var sum: Float = 0
      for index in 0..<array.count { sum += array[index].floatValue }
      use(sum)
    }
    plain = row("sum an Array of Int32 by index", 30, nil) {
      var sum: Int32 = 0
      for index in 0..<integers.count { sum &+= integers[index] }
      use(Float(sum))
    }
    row("… MLMultiArray as Int32", 30, plain) {
      var sum: Int32 = 0
      for index in 0..<integerArray.count { sum &+= integerArray[index] }
      use(Float(sum))
    }
    row("… MLMultiArray as NSNumber", 3, plain) {
      var sum: Int32 = 0
      for index in 0..<integerArray.count { sum &+= integerArray[index].int32Value }
      use(Float(sum))
    }
    for index in 0..<count { integerArray[index] = Int32(index & 511) }
    row("… MLMultiArray as NSNumber, small numbers", 3, plain) {
      var sum: Int32 = 0
      for index in 0..<integerArray.count { sum &+= integerArray[index].int32Value }
      use(Float(sum))
    }
  }

  private func writeByIndex() {
    let array = array
    var floats = floats
    let plain = row("write an Array of Float by index", 30, nil) {
      for index in 0..<floats.count { floats[index] = Float(index & 15) }
      use(floats[7])
    }
    row("… MLMultiArray as Float", 30, plain) {
      for index in 0..<array.count { array[index] = Float(index & 15) }
      use(array[7])
    }
    row("… MLMultiArray as NSNumber", 3, plain) {
      for index in 0..<array.count { array[index] = NSNumber(value: Float(index & 15)) }
      use(array[7])
    }
    let number = NSNumber(value: Float(0.25))
    row("… MLMultiArray as NSNumber made before", 3, plain) {
      for index in 0..<array.count { array[index] = number }
      use(array[7])
    }
  }

  private func readByIndices() {
    let (array, shaped, floats, rows, columns) = (array, shaped, floats, Self.rows, Self.columns)
    let plain = row("sum an Array of Float by row and column", 30, nil) {
      var sum: Float = 0
      for i in 0..<rows { for j in 0..<columns { sum += floats[i * columns + j] } }
      use(sum)
    }
    row("… MLMultiArray [[i, j]] as Float", 30, plain) {
      var sum: Float = 0
      for i in 0..<rows { for j in 0..<columns { sum += array[[i, j]] } }
      use(sum)
    }
    row("… MLShapedArray [scalarAt: i, j]", 30, plain) {
      var sum: Float = 0
      for i in 0..<rows { for j in 0..<columns { sum += shaped[scalarAt: i, j] } }
      use(sum)
    }
    row("… MLMultiArray [[i, j] as [NSNumber]]", 3, plain) {
      var sum: Float = 0
      for i in 0..<rows { for j in 0..<columns { sum += array[[i, j] as [NSNumber]].floatValue } }
      use(sum)
    }
  }

  private func writeByIndices() {
    let (array, rows, columns) = (array, Self.rows, Self.columns)
    var (shaped, floats) = (shaped, floats)
    let plain = row("write an Array of Float by row and column", 30, nil) {
      for i in 0..<rows { for j in 0..<columns { floats[i * columns + j] = Float(j & 15) } }
      use(floats[7])
    }
    row("… MLMultiArray [[i, j]] as Float", 30, plain) {
      for i in 0..<rows { for j in 0..<columns { array[[i, j]] = Float(j & 15) } }
      use(array[7])
    }
    row("… MLShapedArray [scalarAt: i, j]", 30, plain) {
      for i in 0..<rows { for j in 0..<columns { shaped[scalarAt: i, j] = Float(j & 15) } }
      use(shaped[scalarAt: 0, 7])
    }
    row("… MLMultiArray [[i, j] as [NSNumber]]", 3, plain) {
      for i in 0..<rows { for j in 0..<columns { array[[i, j] as [NSNumber]] = NSNumber(value: Float(j & 15)) } }
      use(array[7])
    }
  }

  private func readAll() {
    let (array, shaped, floats) = (array, shaped, floats)
    let plain = row("sum an Array's buffer", 30, nil) {
      floats.withUnsafeBufferPointer { use($0.reduce(0, +)) }
    }
    row("… MLMultiArray's", 30, plain) {
      array.withUnsafeBufferPointer(ofType: Float.self) { use($0.reduce(0, +)) }
    }
    row("… MLShapedArray's", 30, plain) {
      shaped.withUnsafeShapedBufferPointer { elements, _, _ in use(elements.reduce(0, +)) }
    }
  }

  /// Runs `body`, which goes over all elements, `turns` times, and prints what an element takes at best, and the ratio
  /// to `plain`. Answers nanoseconds.
  @discardableResult private func row(_ name: String, _ turns: Int, _ plain: Double?, _ body: () -> Void) -> Double {
    var least = Double.infinity
    for _ in 0..<turns {
      let start = ContinuousClock.now
      body()
      least = min(least, (ContinuousClock.now - start) / .nanoseconds(1))
    }
    let time = least / Double(count)
    let ratio = plain.map { String(format: "  %7.2f × an Array's", time / $0) } ?? ""
    print(name.padding(toLength: 44, withPad: " ", startingAt: 0) + String(format: "%8.3f ns", time) + ratio)
    return time
  }
}

/// Keeps results from being optimised away.
@inline(never) private func use(_ number: Float) { if number == .pi { print("π") } }
