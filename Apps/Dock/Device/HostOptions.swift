import Foundation
import OffshorePresentation
import OffshoreSync

/// What the command line and the environment ask of the host.
struct HostOptions: Equatable {
  /// The folder for all data.
  var home: String
  /// The port to listen on; 0 lets the system choose.
  var port: UInt16
  /// What to speak until a language is chosen.
  var language: Language
  /// The server to sync with, if there is one.
  var server: URL?
  /// Whether it was a dock that started it, as a phone has to be.
  var isOfDock = false
  /// The origin of the page that may frame the device, where a dock shows it.
  var dock: String?
  /// What is run.
  var program = Program.device
  /// Whether only the usage is asked for.
  var wantsHelp = false

  /// What there is to run.
  enum Program: String {
    /// One device.
    case device
    /// A server and two phones, side by side.
    case dock
    /// A phone of a dock, which starts it.
    case phone
    /// Nothing but the manifest of what is synced, for a server.
    case manifest
  }

  static let defaultPort: UInt16 = 8080

  static let usage = """
    usage: offshore-apps [dock | manifest] [--home DIR] [--port N] [--server URL]

      dock          run a server and two phones, and show them side by side
      manifest      print what is synced, for offshore serve --manifest
      --home DIR    where the data is kept; made if missing
                    (OFFSHORE_HOME; else offshore below XDG_DATA_HOME or ~/.local/share)
      --port N      the port on 127.0.0.1 to listen on, 0 for any free one
                    (OFFSHORE_PORT; else \(defaultPort))
      --server URL  the server to sync with, as https://boats.example.org; http:// is for this
                    machine alone (OFFSHORE_SERVER; a dock has a server of its own)
      --help        this text

    Stop it with Ctrl-C: what was begun is finished first.
    """

  /// Reads arguments, and the environment for what they leave open.
  ///
  /// - Parameter arguments: those after the program's name.
  /// - Throws: ``HostError`` that names what it cannot make sense of.
  init(_ arguments: [String], environment: [String: String]) throws {
    home = Self.defaultHome(environment)
    language = Language(environment: environment, among: Language.shipped) ?? .english
    port =
      try environment["OFFSHORE_PORT"].map { try Self.port($0, from: "OFFSHORE_PORT") }
      ?? Self.defaultPort
    server = try environment["OFFSHORE_SERVER"].map { try Self.server($0, from: "OFFSHORE_SERVER") }
    var rest = arguments[...]
    if let program = rest.first.flatMap(Program.init) {
      self.program = program
      rest.removeFirst()
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--home":
        home = try Self.value(of: argument, from: &rest)
      case "--of-dock" where program == .phone: isOfDock = true
      case "--port":
        port = try Self.port(Self.value(of: argument, from: &rest), from: argument)
      case "--server":
        server = try Self.server(Self.value(of: argument, from: &rest), from: argument)
      default: throw HostError("There is no option “\(argument)”. See offshore-apps --help.")
      }
      if argument == "--server", program == .dock {
        throw HostError("A dock has a server of its own. Leave --server out, or run no dock.")
      }
    }
    // It would wait for ever for what a dock tells it.
    if program == .phone, !isOfDock, !wantsHelp { throw HostError.phoneWithoutDock }
  }

  private static func value(
    of option: String, from rest: inout ArraySlice<String>
  ) throws -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw HostError("\(option) takes a value. See offshore-apps --help.")
    }
    return value
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
        \(source) takes http:// for this machine alone: elsewhere passwords and charters could be read \
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

  static let phoneWithoutDock = HostError(
    "A phone is started by a dock. Run offshore-apps dock.")
}
