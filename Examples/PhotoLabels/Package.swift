// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PhotoLabels",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "PhotoLabels",
      dependencies: [
        .product(name: "CoreML", package: "mlc"), .product(name: "ImageIO", package: "mlc"),
        .product(name: "Vision", package: "mlc"),
      ],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(
      name: "PhotoLabelsTests",
      dependencies: ["PhotoLabels"],
      resources: [.copy("Fixtures")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
