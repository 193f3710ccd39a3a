import CoreML
import Foundation
import Testing

@Suite struct SendableValueTests {
  @Test func readAsWhatTheyWereMadeOf() {
    #expect(MLSendableFeatureValue(3).integerValue == 3 && MLSendableFeatureValue(Int32(-3)).integerValue == -3)
    #expect(MLSendableFeatureValue(3).doubleValue == nil && MLSendableFeatureValue(3).type == .int64)
    #expect(MLSendableFeatureValue(Float(0.5)).floatValue == 0.5 && MLSendableFeatureValue(0.5).doubleValue == 0.5)
    #expect(MLSendableFeatureValue(Float16(2)).float16Value == 2 && MLSendableFeatureValue(Float16(2)).isScalar)
    #expect(MLSendableFeatureValue("a").stringValue == "a" && !MLSendableFeatureValue("a").isScalar)
    #expect(MLSendableFeatureValue(["a", "b"]).stringArrayValue == ["a", "b"])
    #expect(MLSendableFeatureValue(["a": 1]).stringDictionaryValue == ["a": 1])
    #expect(MLSendableFeatureValue([4: 0.5]).integerDictionaryValue == [4: 0.5])
    let undefined = MLSendableFeatureValue(undefined: .double)
    #expect(undefined.isUndefined && undefined.type == .double && undefined.doubleValue == nil)
    #expect(MLSendableFeatureValue(3) != MLSendableFeatureValue(3.0) && MLSendableFeatureValue(3) == .init(3))
    #expect(MLSendableFeatureValue(3).debugDescription == MLFeatureValue(int64: 3).description)
  }

  @Test func arraysAreCopies() throws {
    let array = try MLMultiArray([1, 2, 3])
    let value = try #require(MLSendableFeatureValue(MLFeatureValue(multiArray: array)))
    array[0] = 9
    #expect(value.isShapedArray && value.shapedArrayValue(of: Int32.self)?.scalars == [1, 2, 3])
    #expect(value.shapedArrayValue(of: Float.self) == nil)
    #expect(MLFeatureValue(value).multiArrayValue?[0] == 1)
    let halves = MLShapedArray<Float16>(repeating: 0.5, shape: [2, 2])
    #expect(MLSendableFeatureValue(halves).shapedArrayValue(of: Float16.self) == halves)
  }

  @Test func providersTakeThem() throws {
    let bytes = MLShapedArray<Int8>(scalars: [1, -1], shape: [2])
    let provider = try MLDictionaryFeatureProvider(dictionary: ["a": MLSendableFeatureValue("text"), "b": bytes])
    #expect(provider["a"]?.stringValue == "text" && provider["b"]?.multiArrayValue?.dataType == .int8)
  }

  @Test func goToOtherTasksAndBack() async throws {
    let values = [
      MLFeatureValue(int64: 1), MLFeatureValue(double: 2), MLFeatureValue(string: "t"),
      MLFeatureValue(undefined: .int64),
      MLFeatureValue(sequence: MLSequence(int64s: [3, 4])), MLFeatureValue(sequence: MLSequence(strings: ["u"])),
      try MLFeatureValue(dictionary: ["a": 0.5]), try MLFeatureValue(dictionary: [NSNumber(value: 3): 1]),
      MLFeatureValue(multiArray: try MLMultiArray([0.5])),
    ]
    let sent = values.compactMap { MLSendableFeatureValue($0) }
    #expect(sent.count == values.count)
    let back = await Task.detached { sent.reversed() }.value
    for (value, other) in zip(values, back.reversed()) { #expect(MLFeatureValue(other) == value) }
  }
}
