package import Foundation
package import OffshorePresentation
import OffshoreSync

/// The options of a host, from the command line and the environment.
package struct HostOptions: Equatable, Sendable {
  /// The folder of all files.
  package var home: String
  /// The port to listen on, or 0 for any free one.
  package var port: UInt16
  /// The language until the user chooses one.
  package var language: Language
  /// The server to sync with, or `nil`.
  package var server: URL?
  /// The origin of the page that may frame the device, if the device belongs to a dock.
  package var dock: String?
  /// The command, or `nil` to serve the device.
  package private(set) var command: String?
  /// The arguments of the command that are not options.
  package private(set) var operands: [String] = []
  /// The given flags of the command.
  package private(set) var flags: Set<String> = []
  /// Whether only the usage is requested.
  package private(set) var wantsHelp = false
  /// Whether the server was given as an argument, rather than by the environment.
  package private(set) var hasServerArgument = false

  /// The port without an argument or a variable.
  package static let defaultPort: UInt16 = 8080

  /// Parses arguments, and the environment for the options that are not among them.
  ///
  /// - Parameters:
  ///   - arguments: the arguments after the program's name.
  ///   - program: the program with its apps and commands.
  /// - Throws: ``HostError`` that names the argument or the variable that is not valid.
  package init(
    _ arguments: [String], environment: [String: String], of program: HostProgram
  ) throws {
    home = Self.defaultHome(environment)
    let languages = program.languages
    language =
      Language(environment: environment, among: languages) ?? languages.first ?? .english
    port =
      try environment["OFFSHORE_PORT"].map { try Self.port($0, from: "OFFSHORE_PORT") }
      ?? Self.defaultPort
    server = try environment["OFFSHORE_SERVER"].map { try Self.server($0, from: "OFFSHORE_SERVER") }
    var rest = arguments[...]
    let command = program.commands.first { $0.name == rest.first }
    if command != nil { self.command = rest.popFirst() }
    while let argument = rest.popFirst() {
      try parse(argument, &rest, of: command, in: program)
    }
  }

  private mutating func parse(
    _ argument: String, _ rest: inout ArraySlice<String>, of command: HostCommand?,
    in program: HostProgram
  ) throws {
    func value() throws -> String {
      guard let value = rest.popFirst(), !value.isEmpty else {
        throw HostError("\(argument) takes a value. See \(program.name) --help.")
      }
      return value
    }
    switch argument {
    case "--help", "-h": wantsHelp = true
    case "--home": home = try value()
    case "--port": port = try Self.port(value(), from: argument)
    case "--server":
      server = try Self.server(value(), from: argument)
      hasServerArgument = true
    case _ where command?.flags.contains(argument) == true: flags.insert(argument)
    case _ where !argument.hasPrefix("-") && operands.count < command?.maximumOperandCount ?? 0:
      operands.append(argument)
    default:
      throw HostError("There is no option “\(argument)”. See \(program.name) --help.")
    }
  }

  private static func server(_ text: String, from source: String) throws -> URL {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""),
      url.host()?.isEmpty == false
    else {
      throw HostError("\(source) takes an address as https://boats.example.org, not “\(text)”.")
    }
    guard url.scheme == "https" || url.isLoopback else {
      throw HostError(
        """
        \(source) takes http:// for this machine alone: elsewhere passwords and data could be read \
        on the way. Use https:// for “\(url.host() ?? text)”.
        """)
    }
    return url
  }

  private static func port(_ text: String, from source: String) throws -> UInt16 {
    guard let port = UInt16(text) else {
      throw HostError("\(source) takes a number from 0 to 65535, not “\(text)”.")
    }
    return port
  }

  /// Returns the default folder by the XDG base directory specification
  /// (<https://specifications.freedesktop.org/basedir-spec/latest/>). It ignores relative paths.
  private static func defaultHome(_ environment: [String: String]) -> String {
    if let home = environment["OFFSHORE_HOME"], !home.isEmpty { return home }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/offshore" }
    return NSHomeDirectory() + "/.local/share/offshore"
  }
}
