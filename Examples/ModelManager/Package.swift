// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ModelManager",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "ModelManager",
      dependencies: [.product(name: "CoreML", package: "mlc")],
      // No model is compiled in the build: the plugin has the command built, which compiles those of the tests.
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(
      name: "ModelManagerTests",
      dependencies: ["ModelManager", .product(name: "CoreML", package: "mlc")],
      resources: [.copy("Fixtures")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
