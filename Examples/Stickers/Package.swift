// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Stickers",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(
      name: "Stickers",
      dependencies: [
        .product(name: "CoreML", package: "mlc"), .product(name: "CoreGraphics", package: "mlc"),
        .product(name: "ImageIO", package: "mlc"),
      ],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(name: "StickersTests", dependencies: ["Stickers"]),
  ],
  swiftLanguageModes: [.v6]
)
