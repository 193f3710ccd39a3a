// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FineTune",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "FineTune",
      dependencies: [.product(name: "CoreML", package: "mlc")],
      resources: [.copy("HeldOut.csv")],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(name: "FineTuneTests", dependencies: ["FineTune"]),
  ],
  swiftLanguageModes: [.v6]
)
