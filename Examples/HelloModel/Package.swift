// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "HelloModel",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "HelloModel",
      dependencies: [.product(name: "CoreML", package: "mlc")],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(name: "HelloModelTests", dependencies: ["HelloModel"]),
  ],
  swiftLanguageModes: [.v6]
)
