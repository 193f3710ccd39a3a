import ArgumentParser
import Foundation
import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCPackage
import MLCPasses
import MLCRuntime
import MLCTraining

struct Update: Command {
  static let configuration = CommandConfiguration(
    abstract: "Trains a model's weights on examples, by native code.",
    discussion: """
      Examples:
        mlc update model.onnx --data train.npz -o tuned.mlpackage --loss cross-entropy
        mlc update model.onnx --data train.npz -o tuned.mlpackage --trainable 'fc.*' --loss cross-entropy \
      --optimizer adam --learning-rate 1e-3 --epochs 20
        mlc update model.keras --data train.npz -o tuned.mlpackage --respect-trainable --epochs 20
        mlc update model.onnx --data train.npz -o tuned.mlmodelc --loss mse --target-name y --validation 0.1 \
      --patience 3 --checkpoint work --report loss.html

      The data hold a tensor for each input, and the targets, whose first axis counts the examples: in one file, in a \
      folder of .npy files of their names, or in a folder of .npz files that follow each other. Where the model \
      leaves that axis open, a last batch that is smaller is trained on too; where it is fixed, it is left out. What a \
      softmax or sigmoid of the model gives are probabilities to a loss, other outputs logits.

      With --respect-trainable a Keras model is trained as it was compiled: the layers that are trainable, by the loss \
      and optimizer of the file, each unless an option names another.

      With --checkpoint the same command goes on after an interruption, with the same result.
      """
  )

  @Argument(help: SourceFormat.argumentHelp, completion: .file()) var model: String
  @Option(help: ArgumentHelp("The examples.", valueName: "FILE.npz|FOLDER"), completion: .file()) var data: String
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where the trained model goes.", valueName: "OUT.mlpackage|OUT.mlmodelc")
  )
  var out: String
  @OptionGroup var trainable: TrainableOptions
  @OptionGroup(title: "Learning") var learning: LearningOptions
  @OptionGroup(title: "Schedule") var schedule: ScheduleOptions
  @Flag(help: "Compute cheap activations again where that saves memory, with the same result.") var recompute = false
  @Option(
    help: ArgumentHelp("Keep here after each epoch what it takes to go on.", valueName: "FOLDER"),
    completion: .directory
  )
  var checkpoint: String?
  @Option(help: ArgumentHelp("Write a page with the losses.", valueName: "OUT.html"), completion: .file()) var report:
    String?
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup(title: "Limits") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    _ = try (PathKind(model), bindings.bindings(), threads.count())
    try UpdateOutput.check(out, of: model)
    if let report { try AtomicFile.check(report) }
    let described = try described()
    let archive = try ExampleFiles.read(data)
    let source = try ModelSource.load(
      model,
      inputs: try bindings.bindings(),
      updatable: described == nil,
      limits: try limits.limits()
    )
    if let neighbors = NeighborTraining(source.program) { return try add(archive, to: neighbors, source) }
    let bar = ProgressBar()
    defer { bar.clear() }
    bar.show("compiling", 0)
    let trainee = try Trainee(source, archive, self, described)
    return try train(trainee, bar)
  }

  /// What options and the model's file say of its training; `nil` where the model may say all of it.
  private func described() throws(Diagnostic) -> TrainingWish? {
    let request = learning.request
    let kind = try PathKind(model)
    let isSaid = request.describes || !trainable.patterns.isEmpty || trainable.respectTrainable
    guard isSaid || kind == .source(.onnx) || kind == .source(.keras) else { return nil }
    return try TrainingWish(model, request, respectsTrainable: trainable.respectTrainable)
  }

  private func train(_ trainee: Trainee, _ bar: ProgressBar) throws(Diagnostic) -> Int32 {
    var trainee = trainee
    var session = trainee.session
    let kept = try keep(&session)
    let resumed = session.history.count
    var steps = StepLog()
    while !session.isDone {
      let (number, epochs) = (session.history.count, trainee.plan.epochs)
      steps.start()
      try session.runEpoch { loss, share in
        steps.end(loss: loss)
        bar.show("epoch \(number + 1): loss \(loss.shortened)", (Double(number) + share) / Double(epochs))
      }
      try kept?.write(session)
      bar.clear()
      if !output.json { Console.result(TrainingSummary.line(number, session.history[number])) }
    }
    bar.clear()
    trainee.learn(session)
    let summary = TrainingSummary(
      model: model,
      data: data,
      path: out,
      weights: trainee.weights.sorted(),
      expanded: session.expanded,
      resumed: resumed,
      notes: try UpdateOutput.write(trainee.source, to: out),
      history: session.history,
      arenaBytes: session.arenaBytes,
      steps: steps
    )
    if let report { try summary.writeHTML(to: report) }
    if !output.json { for note in summary.notes { Console.note("\(out): \(note)") } }
    Console.result(output.json ? summary.json.line : "\(out)")
    return 0
  }

  /// Adds the examples to the samples of nearest neighbours.
  private func add(
    _ archive: [(name: String, tensor: Tensor)],
    to neighbors: NeighborTraining,
    _ source: ModelSource
  ) throws(Diagnostic) -> Int32 {
    if let option = notOfNeighbors {
      let message = "nearest neighbours only take samples in; leave \(option) out"
      throw Diagnostic("update.setting", message, kind: .usage)
    }
    let bar = ProgressBar()
    defer { bar.clear() }
    bar.show("compiling", 0)
    let samples = try locating(Location(file: data)) { () throws(Diagnostic) in
      try neighbors.samples(with: archive, try compiler(source), drivers: try drivers()) {
        bar.show("samples", $0)
      }
    }
    var source = source
    source.program.main.setParameters(samples.learnt)
    let notes = try UpdateOutput.write(source, to: out)
    bar.clear()
    for note in notes { Console.note("\(out): \(note)") }
    let json = JSON.object(["package": .string(out), "samples": .integer(samples.count)])
    Console.result(output.json ? json.line : "\(samples.count.of("sample"))\n\(out)")
    return 0
  }

  /// An option that is given and has no meaning to nearest neighbours.
  private var notOfNeighbors: String? {
    let order = schedule.order
    let given = [
      ("--epochs", order.epochs != nil), ("--batch-size", order.batchSize != nil), ("--shuffle", order.shuffle != nil),
      ("--seed", order.seed != nil), ("--validation", schedule.validation != 0),
      ("--patience", schedule.patience != nil), ("--checkpoint", checkpoint != nil), ("--report", report != nil),
      ("--recompute", recompute), ("what sets a step", !learning.request.settings.isEmpty),
      ("--target-name", trainable.targetName != nil),
    ]
    return given.first { $0.1 }?.0
  }

  func compiler(_ source: ModelSource) throws(Diagnostic) -> Compiler {
    var compile = CompileOptions()
    compile.passes.budget = source.budget
    (compile.usesWinograd, compile.recomputes) = (!source.avoidsWinograd, recompute)
    return Compiler(compile, targets: DeviceFamily.targets)
  }

  func drivers() throws(Diagnostic) -> [any Driver] { try DeviceFamily.drivers(threads: try threads.count()) }

  /// The checkpoint of `session`, which goes on from it if there is one.
  private func keep(_ session: inout TrainingSession) throws(Diagnostic) -> Checkpoint? {
    guard let checkpoint else { return nil }
    do { try FileManager.default.createDirectory(atPath: checkpoint, withIntermediateDirectories: true) } catch {
      let message = "cannot write in '\(checkpoint)': \(error.localizedDescription)"
      throw Diagnostic("file.write", message, kind: .environment)
    }
    let kept = Checkpoint(folder: checkpoint, digest: session.digest)
    if try kept.restore(&session) { Console.note("\(checkpoint): goes on after epoch \(session.history.count)") }
    return kept
  }
}
