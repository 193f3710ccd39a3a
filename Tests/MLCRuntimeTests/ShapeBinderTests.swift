import MLCCore
import MLCPackage
import MLCRuntime
import Testing

@Suite struct ShapeBinderTests {
  private func binder() throws -> ShapeBinder {
    try ShapeBinder(
      FunctionInterface(
        "main",
        inputs: [
          .init("a", TensorType(.float32, ["batch", 3])),
          .init("b", TensorType(.float32, ["batch", Dim("w") * 2 + 1])),
          .init("c", TensorType(.int8, [Dim("w").floorDiv(2) + Dim("batch")])),
        ],
        outputs: [],
        symbols: [.init("batch", range: 1...8), .init("w")]
      )
    )
  }

  private func tensors(_ a: [Int], _ b: [Int], _ c: [Int]) -> [Tensor] {
    [(DType.float32, a), (.float32, b), (.int8, c)].map { dtype, shape in
      Tensor(dtype, shape, [Int](repeating: 0, count: shape.reduce(1, *)))
    }
  }

  @Test func derivesSizes() throws {
    #expect(try binder().bind(tensors([2, 3], [2, 11], [4])) == [2, 5])
    #expect(try binder().bind(tensors([8, 3], [8, 1], [8])) == [8, 0])
  }

  @Test func saysWhatDoesNotFit() throws {
    let binder = try binder()
    let good = tensors([2, 3], [2, 11], [4])
    let wrong: [([Tensor], Diagnostic.ID, String)] = [
      ([], "runtime.input-count", "'main' takes 3 inputs (a, b, c), 0 given"),
      (
        [good[2], good[1], good[2]], "runtime.input-type",
        "input 'a' is fp32[batch, 3], the tensor given is int8[4]"
      ),
      (
        tensors([2], [2, 11], [4]), "runtime.input-rank",
        "input 'a' is fp32[batch, 3], the tensor given is fp32[2]: its rank is 1"
      ),
      (tensors([2, 4], [2, 11], [4]), "runtime.input-shape", "input 'a': dimension 1 is 4, expected 3"),
      (
        tensors([2, 3], [3, 11], [4]), "runtime.input-shape",
        "input 'b': dimension 0 is 3 but 'batch' was bound to 2 by input 'a'"
      ),
      (
        tensors([2, 3], [2, 12], [4]), "runtime.input-shape",
        "input 'b': dimension 1 is 12, which is not 2*w + 1 for any 'w'"
      ),
      (
        tensors([2, 3], [2, 0], [4]), "runtime.input-shape",
        "input 'b': dimension 1 is 0, which is not 2*w + 1 for any 'w'"
      ),
      (
        tensors([2, 3], [2, 11], [5]), "runtime.input-shape",
        "input 'c': dimension 0 is 5, expected batch + floor(w, 2) = 4"
      ),
      (
        tensors([9, 3], [9, 11], [4]), "runtime.input-range",
        "input 'a': dimension 0 makes 'batch' 9, the model allows 1 to 8"
      ),
    ]
    for (inputs, id, message) in wrong {
      #expect("\(message)") { try binder.bind(inputs) } throws: {
        let error = $0 as? Diagnostic
        return error?.id == id && error?.message == message
      }
    }
  }

  @Test func takesEnumeratedSizesTogether() throws {
    let binder = try ShapeBinder(
      FunctionInterface(
        "main",
        inputs: [.init("a", TensorType(.float32, ["h", "w"]))],
        outputs: [],
        symbols: [.init("h", range: 2...4), .init("w", range: 2...4)],
        enumerations: [try #require(SizeEnumeration(["w", "h"], choices: [[2, 4], [4, 2]]))]
      )
    )
    func bind(_ h: Int, _ w: Int) throws -> [Int] {
      try binder.bind([Tensor(.float32, [h, w], [Int](repeating: 0, count: h * w))])
    }
    #expect(try bind(4, 2) == [4, 2])
    #expect(try bind(2, 4) == [2, 4])
    #expect { try bind(4, 4) } throws: {
      let error = $0 as? Diagnostic
      return error?.id == "runtime.input-range"
        && error?.message == "the inputs have w × h = 4 × 4, the model allows 2 × 4 or 4 × 2"
    }
  }

  @Test func refusesSizesThatNothingDetermines() {
    let interface = FunctionInterface(
      "main",
      inputs: [.init("a", TensorType(.float32, [Dim("h") * Dim("w")]))],
      outputs: [],
      symbols: [.init("h"), .init("w")]
    )
    #expect { try ShapeBinder(interface) } throws: { ($0 as? Diagnostic)?.id == "package.unbound-size" }
  }
}
