@main
struct ProgramInSwift {
  static func main() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "Edges.mlpackage"
    for refusal in try Edges.program().write(to: path) { print("Apple's loader would refuse \(refusal)") }
    print("wrote \(path)")
  }
}
