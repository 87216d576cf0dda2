import Foundation
import OffshorePresentation

/// What the command line and the environment ask of the host.
struct HostOptions: Equatable {
  /// The folder for all data.
  var home: String
  /// The port to listen on; 0 lets the system choose.
  var port: UInt16
  /// What to speak until a language is chosen.
  var language: Language
  /// Whether only the usage is asked for.
  var wantsHelp = false

  static let defaultPort: UInt16 = 8080

  static let usage = """
    usage: offshore-apps [--home DIR] [--port N]

      --home DIR   where the data is kept; made if missing
                   (OFFSHORE_HOME; else offshore below XDG_DATA_HOME or ~/.local/share)
      --port N     the port on 127.0.0.1 to listen on, 0 for any free one
                   (OFFSHORE_PORT; else \(defaultPort))
      --help       this text

    Stop it with Ctrl-C: what was begun is finished first.
    """

  /// Reads arguments, and the environment for what they leave open.
  ///
  /// - Parameter arguments: those after the program's name.
  /// - Throws: ``HostError`` that names what it cannot make sense of.
  init(_ arguments: [String], environment: [String: String]) throws {
    home = Self.defaultHome(environment)
    language = Language(environment: environment) ?? .english
    port =
      try environment["OFFSHORE_PORT"].map { try Self.port($0, from: "OFFSHORE_PORT") }
      ?? Self.defaultPort
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--home":
        home = try Self.value(of: argument, from: &rest)
      case "--port":
        port = try Self.port(Self.value(of: argument, from: &rest), from: argument)
      default: throw HostError("There is no option “\(argument)”. See offshore-apps --help.")
      }
    }
  }

  private static func value(
    of option: String, from rest: inout ArraySlice<String>
  ) throws -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw HostError("\(option) takes a value. See offshore-apps --help.")
    }
    return value
  }

  private static func port(_ text: String, from source: String) throws -> UInt16 {
    guard let port = UInt16(text) else {
      throw HostError("\(source) takes a number from 0 to 65535, not “\(text)”.")
    }
    return port
  }

  /// The folder by the XDG base directory rule
  /// (<https://specifications.freedesktop.org/basedir-spec/latest/>), which ignores relative paths.
  private static func defaultHome(_ environment: [String: String]) -> String {
    if let home = environment["OFFSHORE_HOME"], !home.isEmpty { return home }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/offshore" }
    return NSHomeDirectory() + "/.local/share/offshore"
  }
}

/// Why the host cannot start, and what to do about it.
struct HostError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
