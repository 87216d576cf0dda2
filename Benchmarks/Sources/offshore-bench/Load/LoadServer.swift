import Foundation
import OffshoreHTTP
import OffshoreServer
import OffshoreSync
import OffshoreWire

/// A server in its own process, like `offshore serve`, with an account for each device of a load.
final class LoadServer {
  /// The first argument of a process that runs the server.
  static let marker = "--serve"

  let port: UInt16
  private let process = Process()
  private let input = Pipe()

  /// Starts a server on a file in a folder.
  init(in folder: BenchFolder) throws {
    guard let executable = Bundle.main.executableURL else {
      throw JobProcess.Failure(description: "The path of this program is not known.")
    }
    process.executableURL = executable
    process.arguments = [Self.marker, folder.file("server-\(UUID().uuidString).sqlite")]
    let output = Pipe()
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw JobProcess.Failure(description: "The server does not start.")
    }
    self.port = port
  }

  /// Stops the server.
  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The address of the server.
  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  // MARK: - In the process

  /// Serves until the input ends.
  static func runHere(_ path: String) async throws {
    let log = try SQLiteChangeLog(path, epoch: 7)
    let manifest = try Errand.schema().manifest
    try await log.write { log in for number in 0..<LoadDevice.count { try admit(number, &log) } }
    let sync = SyncServer(
      log: log, rules: try PushRules(manifest),
      clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
    var configuration = HTTPServer.Configuration()
    configuration.port = 0
    let server = HTTPServer(configuration, router: sync.router)
    FileHandle.standardOutput.write(Data("\(try server.start())\n".utf8))
    await withCheckedContinuation { continuation in
      Thread {
        while readLine() != nil {}
        continuation.resume()
      }.start()
    }
    await server.stop()
    await log.close()
  }

  private static func admit(
    _ number: Int, _ log: inout some (AccountWriter & ChangeLogWriter)
  ) throws {
    let account = AccountID(UUID())
    try log.setAccount(
      Account(
        id: account, name: AccountName("device-\(number)"), password: PasswordHash(stored: ""),
        created: 0))
    try log.addToken(
      AccessToken(
        hash: LoadDevice.secret(number).hash, account: account, label: "", created: 0,
        expires: .max))
    try log.grant(.owner, to: account, in: try LoadDevice.scope(number))
  }
}
