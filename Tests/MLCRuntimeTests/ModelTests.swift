import Foundation
import MLCCore
import MLCDriverCPU
import MLCPackage
import MLCRuntime
import Testing

@Suite struct ModelTests {
  private func vector(_ count: Int, from first: Int = 0) -> Tensor {
    Tensor([count], floats: (first..<first + count).map(Float.init))
  }

  @Test func predictsAtAnyLength() throws {
    let fixture = try Fixture.adder(weight: 0.5)
    for threads in [1, 2, 3] {
      let model = try fixture.load(threads: threads)
      for count in [1, 5, 0, 1000, 16, 5, 99_999] {
        let output = try model.predict([vector(count)])
        #expect(output == [Tensor([count], floats: (0..<count).map { Float($0) + 0.5 })], "\(count) on \(threads)")
      }
      #expect(try model.arenaBytes(for: [vector(100)]) == 464)
    }
  }

  @Test func predictsIntoGivenMemory() throws {
    let fixture = try Fixture.adder()
    let model = try fixture.load()
    let x = vector(40)
    #expect(try model.outputByteCounts(for: [x]) == [160])
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 200, alignment: 8)
    defer { memory.deallocate() }
    #expect(try model.predict([x], into: [memory]) == [[40]])
    #expect((0..<40).allSatisfy { memory.load(fromByteOffset: $0 * 4, as: Float.self) == Float($0 + 1) })
    let bad = [
      [], [UnsafeMutableRawBufferPointer(rebasing: memory[..<159])],
      [UnsafeMutableRawBufferPointer(rebasing: memory[1...])],
    ]
    for outputs in bad { expect("runtime.output-memory") { try model.predict([x], into: outputs) } }
  }

  /// Memory of an output serves later runs, but none that anybody still holds.
  @Test func takesMemoryOfOutputsAgain() throws {
    let model = try Fixture.adder().load()
    func address(_ tensor: Tensor) -> UnsafeRawPointer? { tensor.withBytes { $0.baseAddress } }
    let held = try model.predict([vector(1000)])[0]
    var places: Set<UnsafeRawPointer?> = []
    for start in 1...8 {
      let output = try model.predict([vector(1000, from: start)])[0]
      #expect(output.floats == (start..<start + 1000).map { Float($0) + 1 })
      places.insert(address(output))
    }
    #expect(places.count == 1 && !places.contains(address(held)))
    #expect(held.floats == (0..<1000).map { Float($0) + 1 })
  }

  @Test func takesMisalignedInputs() throws {
    let fixture = try Fixture.adder()
    let storage = Storage(byteCount: 13) { bytes in
      for (index, value) in [Float(1), 2, 3].enumerated() {
        bytes.storeBytes(of: value, toByteOffset: 1 + 4 * index, as: Float.self)
      }
    }
    let x = try #require(Tensor(.float32, [3], storage: storage, range: 1..<13))
    #expect(try fixture.load().predict([x])[0].floats == [2, 3, 4])
  }

  @Test func trimsLateSizes() throws {
    let fixture = try Fixture.nonZero()
    let model = try fixture.load()
    for (values, kept) in [([0, 3, 0, 5], [3, 5]), ([0, 0], []), ([], []), ([7], [7])] {
      let outputs = try model.predict([Tensor(.int32, [values.count], values)])
      #expect(outputs[0] == Tensor(.int32, [kept.count], kept))
      #expect(outputs[1].shape == [0, values.count])
    }
  }

  @Test func namesTheNodeOfAFault() throws {
    let fixture = try Fixture.nonZero()
    let model = try fixture.load()
    func predict(_ first: Int) throws { _ = try model.predict([Tensor(.int32, [2], [first, 0])]) }
    #expect { try predict(-1) } throws: {
      let error = $0 as? Diagnostic
      return error?.id == "runtime.index" && error?.location.node == "NonZero_7"
    }
    expect("runtime.late-size") { try predict(-2) }
    expect("runtime.fault") { try predict(-3) }
    try predict(4)
  }

  @Test func refusesImpossibleSizes() throws {
    let fixture = try Fixture.adder()
    let model = try fixture.load()
    let error = #expect(throws: Diagnostic.self) { try model.predict([vector(13)]) }
    #expect(error?.id == "runtime.bind" && error?.message.contains("'n' = 13") == true, "\(error!)")
    expect("runtime.too-large") { try model.predict([vector(14)]) }
    #expect(try model.predict([vector(2)])[0].floats == [1, 2])
  }

  @Test func runsOnManyThreadsAtOnce() throws {
    let fixture = try Fixture.adder(weight: 3)
    let model = try fixture.load(threads: 2)
    let wrong = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<200 {
        let count = 20 + (thread * 37 + round * 11) % 700
        let first = thread * 1000 + round
        let output = try? model.predict([vector(count, from: first)])
        let expected = (first..<first + count).map { Float($0) + 3 }
        if output?[0].floats != expected { wrong.increment() }
      }
    }
    #expect(wrong.value == 0)
  }

  @Test func measuresSteps() throws {
    let fixture = try Fixture.adder()
    var options = Model.Options()
    options.profiles = true
    let model = try fixture.load(options)
    for _ in 0..<3 { _ = try model.predict([vector(8)]) }
    #expect(model.profile.map { $0.step.kernel } == ["copy", "add_f32"])
    #expect(model.profile[1].step.nodes == "Add_0, Relu_1")
    #expect(model.profile[1].runs == 3 && model.profile[1].nanoseconds == 15)
  }
}

final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func increment() { lock.withLock { count += 1 } }
  func decrement() { lock.withLock { count -= 1 } }
  /// One more than before.
  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
  var value: Int { lock.withLock { count } }
}

func expect<R>(_ id: Diagnostic.ID, _ comment: String = "", _ body: () throws -> R) {
  #expect("\(comment)") { _ = try body() } throws: { ($0 as? Diagnostic)?.id == id }
}
