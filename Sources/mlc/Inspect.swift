import ArgumentParser
import MLCCore
import MLCGraph
import MLCHDF5
import MLCPackage
import MLCTensorIO

struct Inspect: Command {
  static let configuration = CommandConfiguration(
    abstract: "Shows interface, operators, weights and sizes.",
    discussion: """
      Examples:
        mlc inspect model.onnx
        mlc inspect model.onnx --text | less
        mlc inspect model.onnx --svg > model.svg
        mlc inspect model.onnx --svg --unfolded > whole.svg
        mlc inspect model.mlmodelc --json
        mlc inspect model.onnx --coverage
        mlc inspect weights.h5
        mlc inspect out.npz

      Takes a source model, a compiled package, a file of tensors (.npy, .npz, .json, PNG, JPEG, BMP, PNM, .pb), \
      or any HDF5 file (.h5, .hdf5), whose groups, datasets and attributes are listed behind the model that it may hold.

      --coverage says of each type of operator in an ONNX model whether it is imported, interpreted and, by device, \
      compiled, and names the nodes that are not.
      """
  )

  @Argument(help: "A model, a compiled package or a file of tensors.", completion: .file()) var path: String
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var custom: CustomLayerOptions
  @Flag(help: "Print the program in its text form; large constants are named, not spelled.") var text = false
  @Flag(help: "Print a picture of the graph, an SVG document, each repeated block as one box.") var svg = false
  @Flag(help: "With --svg, draw repeated blocks in full.") var unfolded = false
  @Flag(help: "Say which operators of an ONNX model mlc takes, and which nodes it does not.") var coverage = false
  @OptionGroup(title: "Limits") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    if [text, svg, output.json].count(where: { $0 }) > 1 {
      throw Diagnostic("inspect.flags", "--text, --svg and --json exclude each other", kind: .usage)
    }
    if coverage {
      try inspectCoverage()
      return 0
    }
    if unfolded && !svg { throw Diagnostic("inspect.flags", "--unfolded is for --svg", kind: .usage) }
    switch try PathKind(path) {
    case .source(.keras) where !text && !svg && SourceFormat.isHDF5(path): try inspectHDF5()
    case .source: try inspectSource()
    case .compiled: try inspectPackage()
    case .other: try inspectTensors()
    }
    return 0
  }

  private func inspectCoverage() throws(Diagnostic) {
    guard try PathKind(path) == .source(.onnx), !text, !svg else {
      throw Diagnostic("inspect.flags", "--coverage is for ONNX models, without --text and --svg", kind: .usage)
    }
    let given = try bindings.bindings()
    var types: [String: TensorType] = [:]
    for (name, input) in given { types[name] = TensorType(input.dtype ?? .float32, input.shape) }
    let budget = try limits.limits().budget(for: path)
    let found = try OperatorCoverage(path, bindings: types, budget: budget)
    Console.result(output.json ? found.json.line : found.text)
  }

  private func inspectSource() throws(Diagnostic) {
    let program = try ModelSource.load(
      path,
      inputs: try bindings.bindings(),
      custom: try custom.layers(),
      limits: try limits.limits()
    ).program
    if text {
      Console.result(ConsoleText(document: ProgramText(program).text))
      return
    }
    if svg {
      Console.result(ConsoleText(document: FunctionDrawing(program.main, isFolded: !unfolded).svg))
      return
    }
    show(program, besides: nil)
  }

  /// The model, if the file holds one, and what the file is made of; the latter even when the model cannot be imported.
  private func inspectHDF5() throws(Diagnostic) {
    let file = try locating(Location(file: path)) { () throws(Diagnostic) in try HDF5File.read(path, data: false) }
    let inventory = HDF5Inventory(file)
    let program: Program
    do throws(Diagnostic) {
      program = try ModelSource.load(
        path,
        inputs: try bindings.bindings(),
        custom: try custom.layers(),
        limits: try limits.limits()
      ).program
    } catch {
      Console.result(output.json ? JSON.object(inventory.json).line : inventory.text)
      if error.id == "keras.no-model" { return }
      throw error
    }
    show(program, besides: inventory)
  }

  private func show(_ program: Program, besides structure: HDF5Inventory?) {
    let inventory = ProgramInventory(program.main)
    let summary = InterfaceSummary(program.main.interface, metadata: program.metadata.map { ($0.key, $0.value) })
    if output.json {
      let all = summary.json.merging(inventory.json) { first, _ in first }
      Console.result(JSON.object(all.merging(structure?.json ?? [:]) { first, _ in first }).line)
    } else {
      Console.result(([summary.text, inventory.text] + (structure.map { [$0.text] } ?? [])).joined(separator: "\n"))
    }
  }

  private func inspectPackage() throws(Diagnostic) {
    let package = try PackageReader(path: path)
    if svg {
      throw Diagnostic("inspect.no-graph", "--svg draws source models; this is a compiled package", kind: .usage)
    }
    if text {
      guard let program = try package.program() else {
        throw Diagnostic("package.no-program", "the package does not hold the program's text", at: Location(file: path))
      }
      Console.result(ConsoleText(document: program))
      return
    }
    let metadata = package.manifest.metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let summary = InterfaceSummary(package.functions[0], metadata: metadata)
    let (files, learning) = (try PackageInventory(package), try LearningInventory(package))
    if output.json {
      let own = summary.json.merging(learning?.json ?? [:]) { first, _ in first }
      Console.result(JSON.object(own.merging(files.json) { first, _ in first }).line)
    } else {
      Console.result(([summary.text] + (learning.map { [$0.text] } ?? []) + [files.text]).joined(separator: "\n"))
    }
  }

  private func inspectTensors() throws(Diagnostic) {
    if text || svg {
      throw Diagnostic("inspect.no-graph", "--text and --svg show models; this is a file of tensors", kind: .usage)
    }
    let tensors = try TensorInput.read(path)
    if output.json {
      let rows: [JSON] = tensors.map { name, tensor in
        .object([
          "name": .string(name), "dtype": .string(tensor.dtype.rawValue),
          "shape": .array(tensor.shape.map { .integer($0) }),
        ])
      }
      Console.result(JSON.object(["tensors": .array(rows)]).line)
      return
    }
    var table = Table(["tensor", "type", "bytes"], right: [2], cut: [0])
    for (name, tensor) in tensors { table.add([name, "\(tensor.type)", tensor.byteCount.grouped]) }
    Console.result(table.text)
  }
}
