import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import SwiftProtobuf
import Testing

/// A fresh folder that goes away with this object.
final class Scratch {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("mlc-coreml-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// A program of one function, built in line.
func program(_ build: (inout Builder) throws -> [(String, ValueID)]) rethrows -> Program {
  var function = Function("main")
  function.file = "model.onnx"
  function.bounds = ["n": 2...16]
  var builder = Builder(function)
  let outputs = try build(&builder)
  return Program([builder.finish(outputs.map { (name: $0.0, value: $0.1) })])
}

/// What is read from `model` as a file.
func program(of model: CoreML_Specification_Model) throws(Diagnostic) -> Program {
  do {
    let scratch = try Scratch()
    let path = scratch.file("n.mlmodel")
    try (try model.serializedData()).write(to: URL(fileURLWithPath: path))
    return try CoreMLPackage.read(path)
  } catch let problem as Diagnostic {
    throw problem
  } catch {
    throw Diagnostic("test.file", "\(error)")
  }
}

/// What the first difference between two programs is, their files aside; `nil` when there is none.
func difference(_ a: Program, _ b: Program) -> String? {
  let (a, b) = (a.withoutFiles, b.withoutFiles)
  guard a.functions.count == b.functions.count else { return "number of functions" }
  guard a.metadata.elementsEqual(b.metadata, by: { $0 == $1 }) else { return "metadata \(b.metadata)" }
  for (f, g) in zip(a.functions, b.functions) {
    if f.name != g.name || f.bounds != g.bounds || f.enumerations != g.enumerations {
      return "function \(g.name)"
    }
    if f.features != g.features { return "features \(g.features)" }
    if f.inputs != g.inputs || f.outputNames != g.outputNames || f.states != g.states {
      return "interface of \(f.name)"
    }
    guard f.values.count == g.values.count else { return "number of values" }
    for (v, w) in zip(f.values, g.values) {
      if v.name != w.name || v.fact.type != w.fact.type || v.fact.value != w.fact.value {
        return "value \(v.name): \(w)"
      }
      if v.fact.elements != w.fact.elements { return "known elements of \(v.name)" }
    }
    if let found = difference(f.body, g.body) { return found }
  }
  return nil
}

private func difference(_ a: Block, _ b: Block) -> String? {
  if a.inputs != b.inputs || a.outputs != b.outputs { return "ends of a block" }
  guard a.operations.count == b.operations.count else { return "number of operations" }
  for (x, y) in zip(a.operations, b.operations) {
    guard x.op.isEqual(to: y.op), x.inputs == y.inputs, x.outputs == y.outputs, x.origin == y.origin,
      x.blocks.count == y.blocks.count
    else { return "\(x.name) at \(x.origin)" }
    for (p, q) in zip(x.blocks, y.blocks) { if let found = difference(p, q) { return found } }
  }
  return nil
}

/// Writes and reads back, expecting the same program; then reads as a stranger's package, expecting the same numbers.
@discardableResult
func roundTrip(
  _ program: Program,
  target: CoreMLWriteOptions.DeploymentTarget = .iOS17,
  inputs: [Tensor]? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> CoreMLReport {
  let scratch = try Scratch()
  let path = scratch.file("model.mlpackage")
  let report = try CoreMLPackage.write(program, to: path, options: .init(minimumDeploymentTarget: target))
  let back = try CoreMLPackage.read(path)
  #expect(difference(program, back) == nil, sourceLocation: sourceLocation)
  guard let inputs else { return report }
  try forgetNote(path)
  let imported = try CoreMLPackage.read(path)
  try imported.main.verify()
  let adapted = zip(inputs, imported.main.inputs).map { $0.converted(to: imported.main.fact($1).dtype) }
  let expected = try Interpreter(program.main).run(inputs)
  let results = try Interpreter(imported.main).run(adapted)
  #expect(expected.count == results.count, sourceLocation: sourceLocation)
  for (x, y) in zip(expected, results) {
    #expect(x.shape == y.shape, sourceLocation: sourceLocation)
    if x.dtype == .string {
      #expect(x.strings == y.strings, sourceLocation: sourceLocation)
      continue
    }
    let far = zip(x.doubles, y.doubles).filter { (a: Double, b: Double) in
      a != b && !(abs(a - b) <= 1e-5 * max(1, abs(a))) && !(a.isNaN && b.isNaN)
    }
    #expect(far.isEmpty, "\(far.prefix(3))", sourceLocation: sourceLocation)
  }
  return report
}

/// Renames the note's key in place, so that the package reads as one that mlc did not write.
func forgetNote(_ path: String) throws {
  let file = URL(fileURLWithPath: "\(path)/Data/com.apple.CoreML/model.mlmodel")
  var data = try Data(contentsOf: file)
  let range = try #require(data.range(of: Data("com.mlc.program".utf8)))
  data.replaceSubrange(range, with: Data("com.abc.program".utf8))
  try data.write(to: file)
}

/// Numbers in −1…1, the same for the same shape.
func numbers(_ dtype: DType, _ shape: [Int]) -> Tensor {
  let values = (0..<shape.reduce(1, *)).map { (index: Int) -> Double in Double((index * 37 + 11) % 101) / 50 - 1 }
  return Tensor(dtype, shape, values)
}

/// Runs `body` and requires a diagnostic with this id, which it returns.
@discardableResult
func expectDiagnostic(
  _ id: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> Diagnostic? {
  do {
    try body()
    Issue.record("nothing was thrown, expected \(id)", sourceLocation: sourceLocation)
  } catch let error as Diagnostic {
    #expect(error.id.rawValue == id, "\(error)", sourceLocation: sourceLocation)
    return error
  } catch { Issue.record("\(error), expected \(id)", sourceLocation: sourceLocation) }
  return nil
}

/// What `value`, a compressed constant of `function`, stands for.
func expanded(_ value: ValueID, in function: Function) throws -> Tensor {
  var part = function
  part.inputs = []
  part.outputNames = ["weight"]
  part.body.outputs = [value]
  part.body.operations = function.body.operations.filter { $0.op is Const || $0.isConstantExpression }
  return try Interpreter(part).run([])[0]
}
