// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Colorizer",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "Colorizer",
      dependencies: [
        .product(name: "CoreML", package: "mlc"), .product(name: "ImageIO", package: "mlc"),
      ],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(
      name: "ColorizerTests",
      dependencies: ["Colorizer"],
      resources: [.copy("Fixtures")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
