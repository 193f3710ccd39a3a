import MLCCore
import MLCGraph
import MLCInterfaceCode
import MLCPackage

extension ModelClass {
  /// The class for the default function of a compiled package. Throws `generate.class-name`.
  static func of(
    compiled package: PackageReader,
    name: String,
    source: String,
    location: ResourceLocation,
    access: AccessLevel
  ) throws(Diagnostic) -> ModelClass {
    var result = try ModelClass(name: name, function: package.functions[0], source: source, location: location)
    result.access = access
    result.functions = package.manifest.functions
    result.metadata = package.manifest.metadata
    return result
  }

  /// The class for the main function of a program. Throws `generate.class-name`.
  static func of(
    _ program: Program,
    name: String,
    source: String,
    location: ResourceLocation,
    access: AccessLevel
  ) throws(Diagnostic) -> ModelClass {
    let main = program.main
    let open = main.inputPorts.flatMap { $0.type.shape }.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }
    var function = main.interface
    function.symbols = open.sorted().map { .init($0, range: main.bounds[$0]) }
    var result = try ModelClass(name: name, function: function, source: source, location: location)
    result.access = access
    result.functions = program.functions.map { $0.name }
    result.metadata = Dictionary(program.metadata.map { ($0.key, $0.value) }) { first, _ in first }
    return result
  }
}
