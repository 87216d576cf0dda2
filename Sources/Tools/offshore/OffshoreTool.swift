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
    case nil:
      throw ToolError.usage(
        "Say what to do: serve, account, token, restored, inspect, or manifest check.")
    case "serve":
      try await ServeCommand(
        ServeOptions(Array(arguments.dropFirst()), environment: environment)
      ).run()
    case "account": try await performAccount(Array(arguments.dropFirst()), environment)
    case "token":
      try await AccountCommand(
        AccountOptions(Array(arguments.dropFirst()), environment: environment)
      ).makeToken()
    case "restored":
      try await RestoredCommand(Array(arguments.dropFirst()), environment: environment).run()
    case "inspect":
      try await InspectCommand(Array(arguments.dropFirst()), environment: environment).run()
    case "manifest":
      try ManifestCommand(Array(arguments.dropFirst()), environment: environment).run()
    case let other?: throw ToolError.usage("There is no command “\(other)”.")
    }
  }

  private static func performAccount(
    _ arguments: [String], _ environment: [String: String]
  ) async throws {
    let verb = arguments.first ?? ""
    guard ["add", "password", "disable", "enable", "delete"].contains(verb) else {
      throw ToolError.usage(
        "Say what to do with the account: add, password, disable, enable, delete.")
    }
    let command = AccountCommand(
      try AccountOptions(
        Array(arguments.dropFirst()), environment: environment, isAddition: verb == "add"))
    switch verb {
    case "add": try await command.add(environment)
    case "password": try await command.setPassword(environment)
    case "delete": try await command.delete()
    default: try await command.setDisabled(verb == "disable")
    }
  }

  /// Writes a text at once.
  ///
  /// NB: `print` would buffer it if the output is not a terminal.
  static func write(_ text: String, to file: FileHandle) {
    try? file.write(contentsOf: Data(text.utf8))
  }
}

/// The texts that the tool prints about itself.
enum Usage {
  static let version = "offshore 0.1.0"

  static let text = """
    usage: offshore serve --data FILE --manifest FILE [options]
           offshore serve --data DIR --app NAME=MANIFEST … [options]
           offshore account add NAME --data FILE [--id ID]
           offshore account password|disable|enable|delete NAME --data FILE
           offshore token NAME --data FILE
           offshore restored --data FILE [--keep-tokens] [--keep-invitations]
           offshore inspect FILE [--values]
           offshore manifest check OLD NEW
           offshore --help | --version

    serve answers devices until SIGTERM or Ctrl-C; what was accepted is finished first.

      --data FILE           the file that everything is kept in, with a folder of blobs beside it;
                            made if missing (OFFSHORE_DATA)
      --manifest FILE       what the app syncs, as the app exports it (OFFSHORE_MANIFEST)
      --app NAME=MANIFEST … several apps, each below /NAME with accounts of its own and its data in
                            DIR/NAME.sqlite; the first also answers at the root, for devices that
                            know it from a server of one app (OFFSHORE_APP)
      --listen ADDRESS:PORT where to listen, 127.0.0.1:8080 unless said; port 0 is any free one
                            (OFFSHORE_LISTEN)
      --open-sign-up yes|no whether sign-up is open; no by default
                            (OFFSHORE_OPEN_SIGN_UP)
      --tls-certificate FILE, --tls-key FILE
                            encrypt connections by a certificate and its key, both in PEM
                            (OFFSHORE_TLS_CERTIFICATE, OFFSHORE_TLS_KEY)
      --metrics-token FILE  a token in a file lets others than this machine read /metrics
                            (OFFSHORE_METRICS_TOKEN)
      --retention DAYS      for how long is kept what was deleted, 180 days unless said; a device that
                            is away for longer fetches its data anew (OFFSHORE_RETENTION)
      --max-rows-per-scope NUMBER, --max-bytes-per-scope NUMBER,
      --max-rows-per-account NUMBER, --max-bytes-per-account NUMBER
                            the most rows, and bytes of their values, that are stored in one scope,
                            or in all scopes of one account; unlimited unless said. Deletions are
                            always accepted (OFFSHORE_MAX_ROWS_PER_SCOPE and so on)
      --max-blob-bytes NUMBER, --max-blob-bytes-per-account NUMBER,
      --max-blob-bytes-per-scope NUMBER
                            the most bytes of one blob, of all blobs and unfinished uploads of one
                            account, and of all blobs of one scope; 67108864 (64 MiB), 1073741824
                            (1 GiB) and 4294967296 (4 GiB) unless said (OFFSHORE_MAX_BLOB_BYTES and
                            so on)
      --trusted-proxy ADDRESS …
                            whose X-Forwarded-For is believed, as 10.0.0.1 or 10.0.0.0/8;
                            the proxy has to set that field; otherwise all of its clients
                            count as one (OFFSHORE_TRUSTED_PROXY)

    A line of JSON about each request whose head makes sense goes to standard error.

    account add makes an account. Its password is the variable OFFSHORE_PASSWORD, or the first line of
    the input. account password reads a new one in the same way. account disable refuses sign-ins to the
    account until account enable; its data stays. password and disable end the access tokens of the
    account. account delete ends its memberships and deletes what belongs to it alone, which cannot be
    undone. All of them work while the server runs.

      --id ID               the id of an account that the data lacks, because it was restored from a
                            copy: its devices can sign in to this id only

    token authenticates a device without a password: it prints a new access token.

    restored is for a file that was put back from a copy, before the server starts again: devices fetch
    their data anew, and send again what the copy lacks. It ends all access tokens and invitations,
    because the copy has those that were ended since.

      --keep-tokens         devices stay signed in; signed-out ones are signed in again
      --keep-invitations    invitations stay valid; used and withdrawn ones are valid again

    inspect describes the file of a device: its scopes with their cursors, pending and refused changes,
    and conflicts. The file stays as it is, and the app may have it open.

      --values              show the values, which are the user's, in place of their types and sizes

    manifest check compares the manifests of two releases. For each difference it says whether it is
    safe, what devices of former releases notice, or why a server refuses it and what to do.

    The exit status is 0, 1 if something fails, and 2 if the command line makes no sense.
    """
}
