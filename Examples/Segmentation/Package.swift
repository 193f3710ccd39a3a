// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Segmentation",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "Segmentation",
      dependencies: [
        .product(name: "CoreML", package: "mlc"), .product(name: "CoreGraphics", package: "mlc"),
        .product(name: "ImageIO", package: "mlc"),
      ],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(name: "SegmentationTests", dependencies: ["Segmentation"], resources: [.copy("Fixtures")]),
  ],
  swiftLanguageModes: [.v6]
)
