import CoreML
import Foundation
import Testing

/// What a configuration demands of a package.
@Suite struct PackageCheckTests {
  private func copy(_ folder: Workspace) throws -> URL {
    let url = folder.url.appending(path: "copy.mlmodelc")
    try FileManager.default.copyItem(at: try Models.affine.get(), to: url)
    return url
  }

  private func digest(_ package: URL) throws -> String {
    let manifest = try Data(contentsOf: package.appending(path: "manifest.json"))
    let object = try #require(try JSONSerialization.jsonObject(with: manifest) as? [String: Any])
    return try #require(object["digest"] as? String)
  }

  @Test func takesThePackageThatIsExpectedAndNoOther() throws {
    let package = try Models.affine.get()
    let configuration = MLModelConfiguration()
    configuration.expectedPackageDigest = try digest(package)
    let model = try MLModel(contentsOf: package, configuration: configuration)
    #expect(model.configuration.expectedPackageDigest == configuration.expectedPackageDigest)
    for wrong in [try digest(Models.accumulator.get()), "", "no digest"] {
      configuration.expectedPackageDigest = wrong
      #expect { try MLModel(contentsOf: package, configuration: configuration) } throws: { error in
        MLModelError.io ~= error && "\(error.localizedDescription)".contains("[package.expected-digest]")
      }
    }
  }

  @Test func checksEveryFileOnDemand() throws {
    let folder = try Workspace()
    let package = try copy(folder)
    let configuration = MLModelConfiguration()
    configuration.verifiesPackage = true
    #expect(try MLModel(contentsOf: package, configuration: configuration).configuration.verifiesPackage)
    let names = try FileManager.default.subpathsOfDirectory(atPath: package.path()).filter { $0.contains(".") }
    for name in names where !name.hasSuffix("manifest.json") {
      let url = package.appending(path: name)
      guard var data = try? Data(contentsOf: url) else { continue }
      let sound = data
      data[data.count / 2] ^= 4
      try data.write(to: url)
      #expect("\(name)") { try MLModel(contentsOf: package, configuration: configuration) } throws: {
        MLModelError.io ~= $0
      }
      try sound.write(to: url)
    }
    _ = try MLModel(contentsOf: package, configuration: configuration)
  }
}
