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
    result.functions = package.manifest.callableFunctions
    result.training = try package.learning()?.trainingFeatures(of: package.functions) ?? []
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
    var result = try ModelClass(name: name, function: main.interface, source: source, location: location)
    result.access = access
    result.functions = program.functions.map { $0.name }.filter { !Learning.allFunctions.contains($0) }
    result.training = program.learning?.learning.trainingFeatures(of: program.functions.map { $0.interface }) ?? []
    result.metadata = Dictionary(program.metadata.map { ($0.key, $0.value) }) { first, _ in first }
    return result
  }
}
