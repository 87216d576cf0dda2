import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync

/// A program that serves apps as a device until it receives a signal.
///
/// ```swift
/// @main enum PackingList {
///   static func main() async { await HostProgram("packing-list", apps: [packing]).run() }
/// }
/// ```
///
/// It has the options `--home`, `--port` and `--server`, and the command `manifest`, which prints
/// the synced tables of an app for a server; `--help` explains them. The program prints its
/// address, and stops gracefully on SIGTERM or Ctrl-C. The exit status is 0, or 1 if it cannot
/// start. The files that it creates are readable by its user only.
public struct HostProgram: Sendable {
  let name: String
  package let apps: [HostedApp]
  let commands: [HostCommand]

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - command: the name of the program.
  ///   - apps: the apps, in the order of the list.
  /// - Precondition: there is an app, and no two have the same name.
  public init(_ command: String, apps: [HostedApp]) {
    self.init(command, apps: apps, commands: [])
  }

  /// Creates a program with further commands.
  package init(_ command: String, apps: [HostedApp], commands: [HostCommand]) {
    precondition(!apps.isEmpty, "A host has at least one app; pass its apps.")
    precondition(
      Set(apps.map(\.name)).count == apps.count, "Two apps have the same name. Rename one.")
    name = command
    self.apps = apps
    self.commands = commands + [.manifest, .phone]
  }

  /// Runs the program with the arguments and the environment of the process, and exits.
  public func run() async {
    // The reader of the output may end. The next line then fails, without stopping the program.
    signal(SIGPIPE, SIG_IGN)
    // New files are for this user only, whatever the umask of the shell.
    umask(0o077)
    exit(
      await status(
        Array(CommandLine.arguments.dropFirst()),
        environment: ProcessInfo.processInfo.environment))
  }

  /// Runs the program until it receives a signal.
  ///
  /// - Parameters:
  ///   - arguments: the arguments after the program's name.
  ///   - environment: the variables for options that are not among the arguments.
  ///   - signals: the signals that stop it.
  ///   - whenServing: called once the address is printed and signals stop the program gracefully.
  /// - Returns: the status to exit with: 0, or 1 if it could not start.
  package func status(
    _ arguments: [String], environment: [String: String],
    signals: [Int32] = TerminationSignals.usual,
    whenServing: @escaping @Sendable () -> Void = {}
  ) async -> Int32 {
    do {
      let options = try HostOptions(arguments, environment: environment, of: self)
      guard !options.wantsHelp else {
        print(usage)
        return 0
      }
      let serving = RunContext(signals: signals, whenServing: whenServing)
      if let command = commands.first(where: { $0.name == options.command }) {
        try await command.run(options, self, serving)
      } else {
        try await serve(options, serving)
      }
      return 0
    } catch {
      report("\(name): \(HostError.explanation(of: error))")
      return 1
    }
  }

  private func serve(_ options: HostOptions, _ serving: RunContext) async throws {
    let host = try await DeviceHost(options, apps)
    let title = apps.count == 1 ? apps.first?.title.in(.english) : nil
    await serving.waitForSignal(
      printing: "\(title.map { "\($0) is" } ?? "The apps are") at \(host.address)")
    await host.stop()
  }

  private func report(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
  }

  /// The languages of all apps.
  var languages: [Language] {
    apps.flatMap(\.languages).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The context of a command that runs until it receives a signal.
  package struct RunContext: Sendable {
    let signals: [Int32]
    let whenServing: @Sendable () -> Void

    /// Prints a line and a hint on stopping, and returns when a signal arrives.
    package func waitForSignal(printing line: String) async {
      await TerminationSignals.wait(for: signals) {
        print("\(line)\nStop it with Ctrl-C.")
        // NB: Output to a pipe would otherwise be buffered, and the address would not appear.
        fflush(nil)
        whenServing()
      }
    }
  }
}

// MARK: - Usage

extension HostProgram {
  /// The text of `--help`: the commands that have a summary, and the options.
  var usage: String {
    let listed = commands.compactMap { command in
      command.summary.map {
        (command.name + operand(of: command), $0)
      }
    }
    let names = listed.map(\.0).joined(separator: " | ")
    let lines = listed.map { name, summary in
      "  \(name.padding(toLength: 12, withPad: " ", startingAt: 0))  \(summary)"
    }
    return """
      usage: \(name) [\(names)] [--home DIR] [--port N] [--server URL]

      \(lines.joined(separator: "\n"))
        --home DIR    the folder of all data; created if missing
                      (OFFSHORE_HOME; else offshore below XDG_DATA_HOME or ~/.local/share)
        --port N      the port on 127.0.0.1 to listen on, 0 for any free one
                      (OFFSHORE_PORT; else \(HostOptions.defaultPort))
        --server URL  the server to sync with, as https://boats.example.org; http:// is for this
                      machine alone\(serverNote) (OFFSHORE_SERVER)
        --help        this text

      Stop it with Ctrl-C: the work under way is completed first.
      """
  }

  private func operand(of command: HostCommand) -> String {
    guard command.maximumOperandCount > 0 else { return "" }
    return command.operandName.map { " \($0)" } ?? (apps.count > 1 ? " APP" : "")
  }

  private var serverNote: String {
    apps.count == 1
      ? "" : "; each app syncs below its name: URL/\(apps.last?.name ?? "app")"
  }
}

/// The reason why a host cannot start, with a remedy.
package struct HostError: Error, CustomStringConvertible {
  /// One or two sentences to show in a terminal.
  package let description: String

  /// Creates an error from one or two sentences.
  package init(_ description: String) { self.description = description }

  /// Returns the sentences to show in a terminal for an error.
  package static func explanation(of error: any Error) -> String {
    switch error {
    case let error as HostError: error.description
    case let error as HTTPServerError where error.code == .addressInUse:
      "\(error.message) Choose another by --port N."
    case let error as HTTPServerError: error.message
    case let error as DatabaseError: error.message
    case let error as ReplicaError: error.message
    default: "\(error)"
    }
  }
}
