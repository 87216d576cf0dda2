import Foundation
import Offshore
import OffshoreServer

/// Commands for accounts in a server's file, whether or not the server is running.
struct AccountCommand {
  private let options: AccountOptions

  init(_ options: AccountOptions) { self.options = options }

  /// Creates an account, and prints its id.
  /// - Throws: ``ToolError``, `AccountError`, `WireError` or `DatabaseError`.
  func add(_ environment: [String: String]) async throws {
    let data = try DataFile.openExisting(options.data)
    let password = try Self.password(environment)
    let id = try await data.addAccount(
      named: options.name.text, password: password, id: options.id ?? UUID())
    await data.close()
    OffshoreTool.write("\(id)\n", to: .standardOutput)
  }

  /// Creates an access token for an account, and prints it.
  /// - Throws: ``ToolError``, `AccountError`, `WireError` or `DatabaseError`.
  func makeToken() async throws {
    let data = try DataFile.openExisting(options.data)
    let name = options.name.text
    let token: String
    do {
      token = try await data.makeToken(forAccount: name)
    } catch let error as AccountError where error.code == .disabled {
      throw ToolError("The account “\(name)” is disabled. Enable it by offshore account enable.")
    } catch {
      throw failure(error)
    }
    await data.close()
    OffshoreTool.write("\(token)\n", to: .standardOutput)
  }

  /// Changes the password of an account, and ends its access tokens.
  /// - Throws: ``ToolError``, `AccountError` or `DatabaseError`.
  func setPassword(_ environment: [String: String]) async throws {
    let data = try DataFile.openExisting(options.data)
    let password = try Self.password(environment)
    do {
      try await data.setPassword(password, ofAccount: options.name.text)
    } catch {
      throw failure(error)
    }
    await data.close()
  }

  /// Disables an account and ends its access tokens, or enables it again.
  /// - Throws: ``ToolError``, `AccountError` or `DatabaseError`.
  func setDisabled(_ isDisabled: Bool) async throws {
    let data = try DataFile.openExisting(options.data)
    do {
      try await data.setDisabled(isDisabled, ofAccount: options.name.text)
    } catch {
      throw failure(error)
    }
    await data.close()
  }

  /// Deletes an account with everything that belongs to it alone.
  /// - Throws: ``ToolError``, `AccountError` or `DatabaseError`.
  func delete() async throws {
    let data = try DataFile.openExisting(options.data)
    do {
      try await data.deleteAccount(named: options.name.text)
    } catch {
      throw failure(error)
    }
    await data.close()
  }

  /// Returns the error, with the remedy if there is no such account.
  private func failure(_ error: any Error) -> any Error {
    guard let failure = error as? AccountError, failure.code == .notFound else { return error }
    return ToolError(
      "There is no account “\(options.name.text)”. Add it by offshore account add.")
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

/// The options of the commands `offshore account …` and `offshore token`.
struct AccountOptions {
  let data: String
  let name: AccountName
  /// The id of a new account, or `nil` for any.
  let id: UUID?

  static let options = [
    ToolOptions.Option("--data", "OFFSHORE_DATA")
  ]

  /// Parses the options.
  /// - Parameter isAddition: whether an account is added, which has the option `--id`, too.
  /// - Throws: ``ToolError`` if an option is missing or invalid.
  init(
    _ arguments: [String], environment: [String: String], isAddition: Bool = false
  ) throws(ToolError) {
    let own = isAddition ? [ToolOptions.Option("--id", "")] : []
    let options = try ToolOptions(arguments, Self.options + own, environment: environment)
    guard options.operands.count == 1, let typed = options.operands.first else {
      throw .usage("Say the name of one account, and no password: it is read from the input.")
    }
    do throws(AccountError) {
      name = try AccountName(typed)
    } catch {
      throw .usage(error.message)
    }
    data = try options.required("--data", "the file that the server keeps everything in")
    id = try options.value("--id").map { text throws(ToolError) in
      guard let id = UUID(uuidString: text) else {
        throw .usage(
          """
          --id takes the id of an account that the data lacks, as \
          6F9619FF-8B86-4D01-B42D-00CF4FC964FF, not “\(text)”.
          """)
      }
      return id
    }
  }
}

/// The file with all data of a server.
enum DataFile {
  /// Opens a file, and creates it if it does not exist.
  /// - Throws: ``ToolError`` with the path, the reason and the remedy.
  static func open(_ path: String) throws(ToolError) -> ServerData {
    do {
      return try ServerData(path)
    } catch let error as DatabaseError {
      throw failure(path, error.message)
    } catch {
      throw failure(path, nil)
    }
  }

  /// Opens an existing file.
  /// - Throws: ``ToolError`` as ``open(_:)``, or if the file does not exist.
  static func openExisting(_ path: String) throws(ToolError) -> ServerData {
    try requireExisting(path)
    return try open(path)
  }

  /// Requires that a file exists.
  /// - Throws: ``ToolError`` if it does not.
  static func requireExisting(_ path: String) throws(ToolError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ToolError(
        "There is no data in “\(path)”. Start the server once, or say by --data where its data is.")
    }
  }

  /// Returns the error for a file that cannot be used, with a remedy.
  static func failure(_ path: String, _ reason: String?) -> ToolError {
    let reason = reason.map { " \($0)" } ?? ""
    return ToolError("The data cannot be kept in “\(path)”.\(reason)\(advice(path))")
  }

  private static func advice(_ path: String) -> String {
    let parent = (path as NSString).deletingLastPathComponent
    let folder = parent.isEmpty ? "." : parent
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      return " There is no folder “\(folder)”: make it, or choose another by --data."
    }
    guard isFolder.boolValue else {
      return " “\(folder)” is a file: several apps have a folder, with a file NAME.sqlite of each."
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      return " This user may not write to the folder “\(folder)”: choose another by --data."
    }
    return ""
  }
}
