import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCOps
import MLCRuntime
import MLCTargetC
import Synchronization
import TestSupport
import Testing

/// Recurrences large enough for threads to divide the units of a step among them.
@Suite struct DividedRecurrenceTests {
  private let steps = 6
  private let size = 3
  private let hidden = 260

  private func values(_ shape: [Int], _ seed: Int) -> Tensor {
    Tensor(shape, floats: (0..<shape.reduce(1, *)).map { Float(($0 * 37 + seed) % 101) / 1000 - 0.05 })
  }

  /// An LSTM with lengths, GRUs of both forms, an RNN in both directions.
  private func layers(batch: Int) throws -> Function {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [Dim(steps), Dim(batch), Dim(size)]))
    let lengths = builder.constant(Tensor(.int32, [batch], (0..<batch).map { max(0, steps - 2 * $0) }))
    func weights(_ gates: Int, _ seed: Int) -> [[ValueID]] {
      [[gates * hidden, size], [gates * hidden, hidden], [gates * hidden]].enumerated().map {
        [builder.constant(values($1, seed + $0))]
      }
    }
    var lstm = LSTM()
    lstm.outputSequence = true
    let none = [[ValueID]](repeating: [], count: 5)
    var arguments: [[ValueID]] = [[x], [], []]
    arguments += weights(4, 1)
    arguments += none
    arguments.append([lengths])
    var outputs = try builder.append(lstm, arguments)
    for isAfter in [false, true] {
      var gru = GRU()
      (gru.resetAfter, gru.outputSequence) = (isAfter, true)
      let bias = isAfter ? [builder.constant(values([hidden], 2))] : []
      arguments = [[x], []]
      arguments += weights(3, 5)
      arguments.append(bias)
      arguments += none
      outputs += try builder.append(gru, arguments)
    }
    var rnn = RNN()
    (rnn.direction, rnn.outputSequence) = ("bidirectional", true)
    arguments = [[x], []]
    arguments += weights(1, 3)
    arguments += weights(1, 8)
    arguments.append([])
    outputs += try builder.append(rnn, arguments)
    return builder.finish(outputs.enumerated().map { ("y\($0.offset)", $0.element) })
  }

  /// Makes a package of `function` for this machine.
  private func compile(_ function: Function, to path: String) throws {
    _ = try Compiler(CompileOptions(), targets: [CTarget.self]).compile(Program([function]), to: path)
  }

  @Test(arguments: [1, 3, 9]) func anyNumberOfThreadsGivesTheSameBits(_ batch: Int) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-rnn-\(UUID().uuidString).mlmodelc").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let function = try layers(batch: batch)
    try compile(function, to: path)
    let x = values([steps, batch, size], 11)
    let expected = try Interpreter(function).run([x])
    let alone = try Model.load(path: path, drivers: [CPUDriver(threads: 1)]).predict([x])
    for (result, reference) in zip(alone, expected) {
      #expect(disagreement(result, reference, rtol: 1e-4, atol: 1e-5) == nil)
    }
    for threads in [2, 3, 8] {
      let model = try Model.load(path: path, drivers: [CPUDriver(threads: threads)])
      for _ in 0..<20 { #expect(try model.predict([x]) == alone, "\(threads) threads") }
    }
  }

  @Test func predictionsAtOnceLeaveEachOtherAlone() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-rnn-\(UUID().uuidString).mlmodelc").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try compile(layers(batch: 1), to: path)
    let model = try Model.load(path: path, drivers: [CPUDriver(threads: 2)])
    let inputs = (0..<4).map { values([steps, 1, size], $0) }
    let expected = try inputs.map { try model.predict([$0]) }
    let wrong = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for round in 0..<25 {
        let own = (number + round) % 4
        if (try? model.predict([inputs[own]])) != expected[own] { wrong.withLock { $0 += 1 } }
      }
    }
    #expect(wrong.withLock { $0 } == 0)
  }
}
