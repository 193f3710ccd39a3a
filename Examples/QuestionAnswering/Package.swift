// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "QuestionAnswering",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "QuestionAnswering",
      dependencies: [.product(name: "CoreML", package: "mlc")],
      resources: [.copy("vocab.txt")],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(
      name: "QuestionAnsweringTests",
      dependencies: ["QuestionAnswering", .product(name: "CoreML", package: "mlc")],
      resources: [.copy("Fixtures")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
