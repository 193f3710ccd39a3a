import ArgumentParser
import MLCCore

struct Completion: Command {
  static let configuration = CommandConfiguration(
    abstract: "Prints a completion script for a shell.",
    discussion: """
      Examples:
        mlc completion bash > ~/.local/share/bash-completion/completions/mlc
        mlc completion zsh > ~/.zfunc/_mlc
        mlc completion fish > ~/.config/fish/completions/mlc.fish
      """
  )

  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  @Argument(help: "The shell.") var shell: Shell

  var output: OutputOptions { OutputOptions() }

  func perform() throws(Diagnostic) -> Int32 {
    switch shell {
    case .bash: Console.result(ConsoleText(document: MLC.completionScript(for: .bash)))
    case .zsh: Console.result(ConsoleText(document: MLC.completionScript(for: .zsh)))
    case .fish: Console.result(ConsoleText(document: MLC.completionScript(for: .fish)))
    }
    return 0
  }
}
