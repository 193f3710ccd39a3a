import MLCCore
import Testing

@Suite struct TensorTests {
  @Test func numbersRoundOnce() {
    // Halfway between two halves in double; through float it would round up first.
    let value = 1 + 0x1p-11 + 0x1p-30
    #expect(Tensor(.float16, [1], [value]).doubles == [1 + 0x1p-10])
    #expect(Tensor(.float16, [1], [1 + 0x1p-11]).doubles == [1])
    #expect(Tensor(.float16, [3], [65519, 65520, -65520]).doubles == [65504, .infinity, -.infinity])
    #expect(Tensor(.float16, [2], [0x1p-24, 0x1p-26]).doubles == [0x1p-24, 0])
    #expect(Tensor(.bfloat16, [1], [1 + 0x1p-8]).doubles == [1])
    #expect(Tensor(.float16, [1], [Double.nan]).doubles[0].isNaN)
    #expect(Tensor(.bfloat16, [1], [Double.nan]).doubles[0].isNaN)
  }

  @Test func everyHalfSurvivesTheRoundTrip() {
    let bits = (0..<65536).map { UInt16($0) }
    let all = Tensor(.float16, [65536]) { (out: UnsafeMutableBufferPointer<UInt16>) in _ = out.initialize(from: bits) }
    let back = Tensor(.float16, [65536], all.doubles)
    let same = all.withElements(of: UInt16.self) { a in
      back.withElements(of: UInt16.self) { b in
        zip(a, b).allSatisfy { $0 == $1 || ($0 & 0x7c00 == 0x7c00 && $0 & 0x3ff != 0 && $1 & 0x3ff != 0) }
      }
    }
    #expect(same)
  }

  /// Texts are their UTF-8: not what Unicode calls equivalent.
  @Test func textsAreTheirBytes() {
    let (composed, decomposed) = (Tensor([1], strings: ["\u{e9}"]), Tensor([1], strings: ["\u{65}\u{301}"]))
    #expect(composed != decomposed)
    #expect(composed == Tensor([1], strings: ["\u{e9}"]))
    #expect(Set([composed, decomposed, composed]).count == 2)
    #expect(Set([UTF8Text("\u{e9}"), UTF8Text("\u{65}\u{301}")]).count == 2)
    #expect(!"\u{e9}".isSameText(as: "\u{65}\u{301}") && "a".isSameText(as: "a"))
  }

  @Test func memoryOfTexts() {
    #expect(Tensor([2], strings: ["", String(repeating: "é", count: 50)]).memoryBytes == 2 * 16 + 100)
    #expect(Tensor([2], floats: [1, 2]).memoryBytes == 8)
    #expect(DType.string.memoryBytes(3) == 48 && DType.string.memoryBytes(.max) == nil)
  }

  @Test func integersWrap() {
    #expect(Tensor(.int8, [3], [127, 128, -129]).integers == [127, -128, 127])
    #expect(Tensor(.uint8, [2], [-1, 256]).integers == [255, 0])
    #expect(Tensor(.int32, [2], [Double.nan, 1e30]).integers[0] == 0)
  }

  @Test func subByteElementsPackFromTheLowBits() {
    let t = Tensor(.int4, [3], [-8, 7, -1])
    #expect(t.byteCount == 2)
    #expect(t.integers == [-8, 7, -1])
    t.withBytes { #expect(Array($0) == [0x78, 0x0f]) }
    #expect(Tensor(.uint3, [5], [7, 0, 5, 2, 6]).integers == [7, 0, 5, 2, 6])
    #expect(Tensor(.uint6, [3], [63, 1, 32]).integers == [63, 1, 32])
  }

  @Test func viewsMustFitTheirBytes() {
    let storage = Storage(byteCount: 16) { _ in }
    #expect(Tensor(.float32, [4], storage: storage) != nil)
    #expect(Tensor(.float32, [5], storage: storage) == nil)
    #expect(Tensor(.float32, [2], storage: storage, range: 12..<20) == nil)
    #expect(Tensor(.float32, [Int.max, 4], storage: storage) == nil)
    #expect(Tensor(.float32, [-1], storage: storage) == nil)
  }

  @Test func misalignedViewsAreRead() {
    let storage = Storage(byteCount: 13) { bytes in
      for (i, byte) in [UInt8](arrayLiteral: 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40).enumerated() { bytes[i + 1] = byte }
    }
    #expect(Tensor(.float32, [2], storage: storage, range: 1..<9)?.floats == [1, 2])
  }

  @Test func emptyAndScalar() {
    #expect(Tensor(.float32, [0, 3], [Double]()).count == 0)
    #expect(Tensor.scalar(.int64, 5).integers == [5])
    #expect(Tensor([2], floats: [1, 2]) == Tensor(.float32, [2], [1.0, 2.0]))
    #expect(Tensor([2], floats: [1, 2]) != Tensor([2, 1], floats: [1, 2]))
  }
}
