import ArgumentParser
import Foundation
import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCPasses
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
  @Option(
    help: ArgumentHelp(
      "Train weights of such names; '*' stands for any characters. All weights if not given. May be repeated.",
      valueName: "PATTERN"
    )
  )
  var trainable: [String] = []
  @Flag(
    help: "Train a Keras model as its file says: the layers that learn, loss and optimizer, unless options name others."
  )
  var respectTrainable = false
  @Option(help: ArgumentHelp("What the targets are called in the data.", valueName: "NAME")) var targetName = "target"
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
    let file = respectTrainable ? try FileTraining(keras: model, besides: learning) : nil
    let recipe = try learning.recipe(file)
    let archive = try ExampleFiles.read(data)
    var source = try ModelSource.load(model, inputs: try bindings.bindings(), limits: try limits.limits())
    let learns = trainable.isEmpty ? file?.weights : nil
    let names = try source.program.main.trainable(trainable, among: learns)
    let bar = ProgressBar()
    defer { bar.clear() }
    bar.show("compiling", 0)
    var session = try session(source, recipe, names, archive)
    let kept = try keep(&session)
    let resumed = session.history.count
    var steps = StepLog()
    while !session.isDone {
      let (number, epochs) = (session.history.count, schedule.epochs)
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
    source.program.main.setWeights(session.weights(of: names.union(session.statistics)))
    let notes = try UpdateOutput.write(source, to: out)
    let summary = TrainingSummary(
      model: model,
      data: data,
      path: out,
      weights: names.sorted(),
      expanded: session.expanded,
      resumed: resumed,
      notes: notes,
      history: session.history,
      arenaBytes: session.arenaBytes,
      steps: steps
    )
    if let report { try summary.writeHTML(to: report) }
    if !output.json { for note in notes { Console.note("\(out): \(note)") } }
    Console.result(output.json ? summary.json.line : "\(out)")
    return 0
  }

  /// Throws what training refuses of the model and the data.
  private func session(
    _ source: ModelSource,
    _ recipe: LearningRecipe,
    _ names: Set<String>,
    _ archive: [(name: String, tensor: Tensor)]
  ) throws(Diagnostic) -> TrainingSession {
    let function = source.program.main
    let target = archive.first { $0.name == targetName }?.tensor
    let options = try locating(Location(file: model)) { () throws(Diagnostic) in
      try recipe.options(for: function, integerTargets: target?.dtype.isInteger ?? false)
    }
    let plan = schedule.plan(recipe.optimizer.settings)
    _ = try plan.values(of: options.hyperparameters)
    let functions = try locating(Location(file: model)) { () throws(Diagnostic) in
      try TrainingFunctions(function, parameters: names, options, targetName: targetName)
    }
    if !functions.step.expanded.isEmpty {
      let listed = abridged(functions.step.expanded, 8)
      Console.note("these weights were compressed or of another type, and are float32 now: \(listed)")
    }
    let examples = try locating(Location(file: data)) { () throws(Diagnostic) in
      let examples = try TrainingData(archive, ports: functions.ports)
      try examples.checkTargets(functions.targetElements)
      return examples
    }
    var compile = CompileOptions()
    compile.passes.budget = source.budget
    (compile.usesWinograd, compile.recomputes) = (!source.avoidsWinograd, recompute)
    let compiler = Compiler(compile, targets: DeviceFamily.targets)
    let drivers = try DeviceFamily.drivers(threads: try threads.count())
    let session = try TrainingSession(functions, options, plan, examples, compiler, drivers: drivers)
    if session.order.omitted > 0 {
      let left = "\(session.order.omitted.of("example")) of each epoch left out"
      Console.note("the model takes batches of \(session.order.batchSize): \(left)")
    }
    return session
  }

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
