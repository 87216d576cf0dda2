import Foundation
import OffshoreServer

/// Commands for accounts in a server's file, whether or not the server is running.
struct AccountCommand {
  private let options: AccountOptions

  init(_ options: AccountOptions) { self.options = options }

  /// Creates an account, and prints its id.
  /// - Throws: ``ToolError``, `AccountError`, `WireError` or `DatabaseError`.
  func add(_ environment: [String: String]) async throws {
    let log = try DataFile.openExisting(options.data)
    let password = try await PasswordHasher().hash(Self.password(environment))
    let (name, id) = (options.name, AccountID(UUID()))
    try await log.write { transaction in
      let rules = AccountRules(try transaction.manifest())
      try rules.signUp(name, password, as: id, at: ServerClock.now(), in: &transaction)
    }
    await log.close()
    OffshoreTool.write("\(id)\n", to: .standardOutput)
  }

  /// Creates an access token for an account, and prints it.
  /// - Throws: ``ToolError``, `WireError` or `DatabaseError`.
  func makeToken() async throws {
    let log = try DataFile.openExisting(options.data)
    let (name, secret) = (options.name, Secret.random())
    try await log.write { transaction in
      let rules = AccountRules(try transaction.manifest())
      guard let account = try transaction.account(named: name) else {
        throw ToolError("There is no account “\(name.text)”. Add it by offshore account add.")
      }
      _ = try rules.addToken(
        secret, for: account.id, label: "offshore token", at: ServerClock.now(), in: &transaction)
    }
    await log.close()
    OffshoreTool.write("\(secret.text)\n", to: .standardOutput)
  }

  /// Returns the password of the environment, or the first line of the input.
  ///
  /// It is not an argument, because every user of the machine can read those.
  private static func password(_ environment: [String: String]) throws -> String {
    if let password = environment["OFFSHORE_PASSWORD"], !password.isEmpty { return password }
    if isatty(STDIN_FILENO) == 1 { OffshoreTool.write("Password: ", to: .standardError) }
    guard let line = Terminal.withoutEcho({ readLine() }), !line.isEmpty else {
      throw ToolError("There is no password. Write it as one line to the input.")
    }
    return line
  }
}

/// The terminal of the user.
private enum Terminal {
  /// Runs a closure that reads input, without showing the typed characters if the input is a
  /// terminal.
  static func withoutEcho<Result>(_ body: () -> Result) -> Result {
    var state = termios()
    guard tcgetattr(STDIN_FILENO, &state) == 0 else { return body() }
    var quiet = state
    quiet.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &state)
      OffshoreTool.write("\n", to: .standardError)
    }
    return body()
  }
}
