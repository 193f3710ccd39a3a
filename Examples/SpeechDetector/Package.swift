// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SpeechDetector",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "SpeechDetector",
      dependencies: [.product(name: "CoreML", package: "mlc")],
      exclude: ["Models/LICENSE-SileroVAD.txt"],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(
      name: "SpeechDetectorTests",
      dependencies: ["SpeechDetector"],
      resources: [.copy("Fixtures")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
