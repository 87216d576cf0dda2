import Foundation
import OffshoreHTTP

/// The tool that runs a server and manages its accounts and data.
@main
enum OffshoreTool {
  static func main() async {
    // If the reader of the output ends, writing fails instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // New files are for this user only, whatever the umask of the shell.
    umask(0o077)
    exit(
      await run(
        Array(CommandLine.arguments.dropFirst()),
        environment: ProcessInfo.processInfo.environment))
  }

  /// Runs the command of the arguments.
  /// - Returns: the exit status: 0, 1 if the command failed, 2 if the arguments are invalid.
  static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
    do {
      try await perform(arguments, environment)
      return 0
    } catch {
      let error = ToolError(error)
      write("offshore: \(error.description)\n", to: .standardError)
      return error.status.rawValue
    }
  }

  private static func perform(_ arguments: [String], _ environment: [String: String]) async throws {
    if arguments.contains("--help") || arguments.contains("-h") {
      return write(Usage.text + "\n", to: .standardOutput)
    }
    let command = arguments.prefix { !$0.hasPrefix("-") }
    switch command.first {
    case nil where arguments.first == "--version":
      write(Usage.version + "\n", to: .standardOutput)
    case nil: throw ToolError.usage("Say what to do: serve, account add, token, or restored.")
    case "serve":
      try await ServeCommand(
        ServeOptions(Array(arguments.dropFirst()), environment: environment)
      ).run()
    case "account" where command.dropFirst().first == "add":
      try await AccountCommand(
        AccountOptions(Array(arguments.dropFirst(2)), environment: environment)
      ).add(environment)
    case "account": throw ToolError.usage("An account can be added: account add NAME.")
    case "token":
      try await AccountCommand(
        AccountOptions(Array(arguments.dropFirst()), environment: environment)
      ).makeToken()
    case "restored":
      try await RestoredCommand(
        RestoredOptions(Array(arguments.dropFirst()), environment: environment)
      ).run()
    case let other?: throw ToolError.usage("There is no command “\(other)”.")
    }
  }

  /// Writes a text at once.
  ///
  /// NB: `print` would buffer it if the output is not a terminal.
  static func write(_ text: String, to file: FileHandle) {
    try? file.write(contentsOf: Data(text.utf8))
  }
}
