import MLCCore
import MLCGraph
import MLCOps
import MLCPasses

/// What a pass, or a pipeline of them, makes of a function: text before, text after.
struct PassCase: Sendable {
  /// `merge-reshapes.cancel`: the pass and what is tried, unique.
  var label: String
  private var rewriting: Rewriting
  var before: String
  /// `nil` where the function stays as it is.
  var after: String?
  /// What stands behind the symbols of the inputs' shapes.
  var sizes: [String: Int]

  private enum Rewriting: Sendable {
    /// One run, without what it leaves unread.
    case pass(any Pass)
    case pipeline(PassPipeline)
  }

  init(_ pass: any Pass, _ what: String, before: String, after: String?, sizes: [String: Int] = [:]) {
    label = "\(type(of: pass).name).\(what)"
    (rewriting, self.before, self.after, self.sizes) = (.pass(pass), before, after, sizes)
  }

  init(pipeline: PassPipeline, _ label: String, before: String, after: String?, sizes: [String: Int] = [:]) {
    self.label = label
    (rewriting, self.before, self.after, self.sizes) = (.pipeline(pipeline), before, after, sizes)
  }

  /// Whether `pass` is what this case tries.
  func tries(_ pass: String) -> Bool { label.hasPrefix(pass + ".") }

  /// The function before.
  func function() throws(Diagnostic) -> Function {
    let function = try ProgramText(text: "program {\n\(before)\n}").program(named: OperatorSet.named).main
    try function.verify()
    return function
  }

  /// The function after, and how far its outputs may have moved: by the sum of what the passes that changed something
  /// may move them.
  func rewritten() throws(Diagnostic) -> (function: Function, tolerance: Double) {
    var function = try function()
    let dtype = function.narrowestFloat
    var tolerance = 0.0
    switch rewriting {
    case .pass(let pass):
      let change = try pass.run(&function, under: Budget())
      if !change.isEmpty { tolerance = type(of: pass).tolerance(for: dtype) }
      _ = try EliminateDeadCode().run(&function, under: Budget())
    case .pipeline(let pipeline):
      var options = PassOptions()
      options.verifies = true
      let report = try pipeline.run(&function, options: options)
      let changed = Set(report.entries.filter { !$0.change.isEmpty }.map { $0.name })
      for pass in pipeline.passes where changed.contains(type(of: pass).name) {
        tolerance += type(of: pass).tolerance(for: dtype)
      }
    }
    try function.verify()
    return (function, tolerance)
  }

  /// What `after` spells where the function stays: the text of what is read.
  func untouched() throws(Diagnostic) -> String {
    var function = try function()
    _ = try EliminateDeadCode().run(&function, under: Budget())
    return PassCase.text(function)
  }

  /// The text of `function`, as `before` and `after` spell it.
  static func text(_ function: Function) -> String {
    ProgramText(Program([function])).text.split(separator: "\n").dropFirst().dropLast().map { $0.dropFirst(2) }
      .joined(separator: "\n")
  }
}

extension Function {
  /// The narrowest type of a floating-point value; fp32 without any.
  var narrowestFloat: DType {
    values.map { $0.fact.dtype }.filter { $0.isFloat }.min { $0.bitWidth < $1.bitWidth } ?? .float32
  }
}
