import CoreML
import Foundation
import Testing

/// Numbers that a seed decides.
struct Draw: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
  mutating func flip() -> Bool { .random(using: &self) }

  /// A shape of `ranks` axes; now and then an axis is empty.
  mutating func shape(
    _ ranks: ClosedRange<Int>,
    _ sizes: ClosedRange<Int> = 1...6,
    isNeverEmpty: Bool = false
  ) -> [Int] {
    (0..<int(ranks)).map { _ in !isNeverEmpty && int(0...24) == 0 ? 0 : int(sizes) }
  }

  /// A shape that is broadcast with `shape`.
  mutating func partner(_ shape: [Int]) -> [Int] {
    Array(shape.map { int(0...2) == 0 ? 1 : $0 }.dropFirst(int(0...2) == 0 ? int(0...shape.count) : 0))
  }

  mutating func pick<T>(_ list: [T]) -> T { list[int(0...list.count - 1)] }
}

/// A tensor with the elements that Python reads.
struct Sample {
  let tensor: MLTensor
  let type: String
  let shape: [Int]
  let data: Data

  init(_ shape: [Int], _ type: String, _ numbers: [Double]) {
    (self.shape, self.type) = (shape, type)
    func store<T: MLTensorScalar & BitwiseCopyable>(_ list: [T]) -> (MLTensor, Data) {
      (MLTensor(shape: shape, scalars: list, scalarType: T.self), list.withUnsafeBytes { Data($0) })
    }
    (tensor, data) =
      switch type {
      case "float32": store(numbers.map { Float($0) })
      case "float16": store(numbers.map { Float16($0) })
      case "int32": store(numbers.map { Int32($0) })
      case "int16": store(numbers.map { Int16($0) })
      case "int8": store(numbers.map { Int8($0) })
      case "uint32": store(numbers.map { UInt32($0) })
      case "uint16": store(numbers.map { UInt16($0) })
      case "uint8": store(numbers.map { UInt8($0) })
      default: store(numbers.map { $0 != 0 })
      }
  }

  /// Numbers that fit the type; with `isWild` its ends, and NaN, infinities and zeros of both signs of floats.
  static func drawn(_ draw: inout Draw, _ shape: [Int], _ type: String, isWild: Bool = false) -> Sample {
    let numbers = (0..<shape.reduce(1, *)).map { _ -> Double in
      let wild = isWild && draw.int(0...7) == 0
      switch type {
      case "float32", "float16":
        if wild { return draw.pick([.nan, .infinity, -.infinity, 0, -0.0, 1, -1, 60000]) }
        return draw.int(0...3) == 0 ? Double(draw.int(-3...3)) : Double.random(in: -4..<4, using: &draw)
      case "bool": return Double(draw.int(0...1))
      case "int32": return wild ? draw.pick([-2_147_483_648, 2_147_483_647, 0, -1]) : Double(draw.int(-20...20))
      case "int16": return wild ? draw.pick([-32768, 32767, 0, -1]) : Double(draw.int(-20...20))
      case "int8": return wild ? draw.pick([-128, 127, 0, -1]) : Double(draw.int(-20...20))
      case "uint32": return wild ? draw.pick([4_294_967_295, 0]) : Double(draw.int(0...40))
      case "uint16": return wild ? draw.pick([65535, 0]) : Double(draw.int(0...40))
      default: return wild ? draw.pick([255, 0]) : Double(draw.int(0...40))
      }
    }
    return Sample(shape, type, numbers)
  }

  static let numbers = ["float32", "float16", "int32", "int16", "int8", "uint32", "uint16", "uint8"]
  static let all = numbers + ["bool"]
}

/// An operation that numpy and a tensor do, and how far apart their answers may be.
struct TensorCase {
  let op: String
  var parameters: [String: Any] = [:]
  let inputs: [Sample]
  /// Relative to the answer, and absolute.
  var tolerance = (relative: 0.0, absolute: 0.0)
  let result: MLTensor

  var json: [String: Any] {
    let arrays = inputs.map { input -> [String: Any] in
      ["type": input.type, "shape": input.shape, "data": input.data.base64EncodedString()]
    }
    return ["op": op, "parameters": parameters, "inputs": arrays]
  }

  var title: String { "\(op) \(parameters) of \(inputs.map { "\($0.type)\($0.shape)" })" }
}

/// What numpy answers.
struct NumpyAnswer: Decodable {
  let type: String
  let shape: [Int]
  let data: Data

  func elements<T: BitwiseCopyable>(_ type: T.Type) -> [T] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: T.self) }
    }
  }

  /// Has numpy answer all cases.
  static func all(_ cases: [TensorCase]) throws -> [NumpyAnswer] {
    let installed = Sources.root.appending(path: ".venv/bin/python").path()
    let python = ProcessInfo.processInfo.environment["MLC_PYTHON"] ?? installed
    try #require(
      FileManager.default.isExecutableFile(atPath: python),
      "no Python with numpy: 'make corpora' installs one in .venv, or set MLC_PYTHON"
    )
    let space = try Workspace()
    let (question, answer) = (space.url.appending(path: "cases.json"), space.url.appending(path: "answers.json"))
    try JSONSerialization.data(withJSONObject: cases.map { $0.json }).write(to: question)
    let process = Process()
    process.executableURL = URL(filePath: python)
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "numpy_answers.py")
    process.arguments = [script.path(), question.path(), answer.path()]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "numpy_answers.py failed")
    return try JSONDecoder().decode([NumpyAnswer].self, from: Data(contentsOf: answer))
  }

  /// What is wrong with a result; `nil` when nothing is.
  func problem(_ result: MLTensor, _ tolerance: (relative: Double, absolute: Double)) async -> String? {
    let own = "\(result.scalarType)".lowercased()
    let expected = type == "float32" ? "float" : type
    if own != expected || result.shape != shape { return "\(own)\(result.shape) for \(expected)\(shape)" }
    if expected.hasPrefix("float") {
      let values = await result.cast(to: Float.self).shapedArray(of: Float.self).scalars
      for (index, (a, b)) in zip(values, elements(Float.self)).enumerated() {
        if a == b || a.isNaN && b.isNaN { continue }
        let limit = tolerance.absolute + tolerance.relative * Double(b.magnitude)
        if !(Double((a - b).magnitude) <= limit) { return "\(a) for \(b) at \(index)" }
      }
      return nil
    }
    let values = await result.cast(to: Int32.self).shapedArray(of: Int32.self).scalars
    for (index, (a, b)) in zip(values, elements(Int32.self)).enumerated() where a != b {
      return "\(a) for \(b) at \(index)"
    }
    return nil
  }
}

/// Plays cases beside numpy.
func compareWithNumpy(_ cases: [TensorCase]) async throws {
  let answers = try NumpyAnswer.all(cases)
  #expect(answers.count == cases.count)
  var problems: [String] = []
  for (one, answer) in zip(cases, answers) {
    if let problem = await answer.problem(one.result, one.tolerance) { problems.append("\(one.title): \(problem)") }
  }
  #expect(problems.isEmpty, "\(problems.count) of \(cases.count):\n\(problems.prefix(12).joined(separator: "\n"))")
}
