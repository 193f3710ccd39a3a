// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ProgramInSwift",
  dependencies: [.package(name: "mlc", path: "../..")],
  targets: [
    .executableTarget(name: "ProgramInSwift", dependencies: [.product(name: "MILBuilder", package: "mlc")]),
    .testTarget(name: "ProgramInSwiftTests", dependencies: ["ProgramInSwift"]),
  ],
  swiftLanguageModes: [.v6]
)
