// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OCR",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .systemLibrary(name: "CPNGFiles", path: "Sources/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .executableTarget(
      name: "OCR",
      dependencies: ["CPNGFiles", .product(name: "CoreML", package: "mlc")],
      plugins: [.plugin(name: "MLCPlugin", package: "mlc")]
    ),
    .testTarget(name: "OCRTests", dependencies: ["OCR"], resources: [.copy("Fixtures")]),
  ],
  swiftLanguageModes: [.v6]
)
