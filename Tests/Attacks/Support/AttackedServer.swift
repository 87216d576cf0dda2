import Foundation
import OffshoreServer
import OffshoreWire
import TestSupport

/// A server as a process, with a file of its own.
final class AttackedServer: Sendable {
  let folder: FaultFolder
  let port: UInt16
  private let process: FaultProcess

  /// The lists of a person, with notes, and the parts of notes, which end with their notes.
  static func manifest() throws -> Manifest {
    try Manifest(
      version: 1,
      tables: [
        SyncedTable(
          "lists", scopeKind: "list", scopeColumn: "id", columns: [SyncedColumn("name", .text)]),
        SyncedTable(
          "notes", scopeKind: "list", scopeColumn: "list",
          columns: [
            SyncedColumn("list", .text), SyncedColumn("text", .text),
            SyncedColumn("votes", .integer, policy: .counter), SyncedColumn("weight", .integer),
          ]),
        SyncedTable(
          "parts", scopeKind: "list", scopeColumn: "list",
          columns: [
            SyncedColumn("list", .text), SyncedColumn("note", .text, reference: "notes"),
            SyncedColumn("text", .text),
          ]),
      ], claimableKinds: ["list"])
  }

  /// Starts a server.
  /// - Parameters:
  ///   - manifest: the synced tables, or `nil` for those of ``manifest()``.
  ///   - folder: the folder of a former server, whose data this one has.
  ///   - openFiles: the limit of open files, or `nil` for that of the tests.
  init(
    _ manifest: Manifest? = nil, continuing folder: FaultFolder? = nil, openFiles: Int? = nil
  ) async throws {
    self.folder = try folder ?? FaultFolder()
    try (manifest ?? Self.manifest()).json()
      .write(to: URL(filePath: self.folder.file("manifest.json")))
    let arguments = [
      "serve", "--data", self.folder.file("server.sqlite"), "--manifest",
      self.folder.file("manifest.json"), "--listen", "127.0.0.1:0", "--open-sign-up", "yes",
    ]
    process =
      if let openFiles {
        try FaultProcess("offshore", arguments, openFiles: openFiles)
      } else {
        try FaultProcess("offshore", arguments)
      }
    let line = await process.lines(1).first ?? ""
    guard let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      process.kill()
      throw Unanswered(description: "The server does not start: \(process.errors)")
    }
    self.port = port
  }

  deinit { process.kill() }

  /// The file of all data.
  var file: String { folder.file("server.sqlite") }

  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  /// A person with an account.
  struct Person {
    let account: String
    let token: String
  }

  /// The password of all persons.
  static let password = "correct horse"

  /// Creates an account.
  func signUp(_ name: String) async throws -> Person {
    let answer = try await Threads.run { [port] in
      try Call.json(["name": name, "password": Self.password], to: "v1/accounts").send(to: port)
    }
    let json = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    guard let account = json?["account"] as? String, let token = json?["token"] as? String else {
      throw Unanswered(description: "\(name) has no account: \(answer.status) \(answer.text)")
    }
    return Person(account: account, token: token)
  }

  // MARK: - Process

  /// A number of bytes in the memory of the process.
  enum Memory: String {
    case current = "VmRSS:"
    case peak = "VmHWM:"
  }

  /// Returns the bytes in memory, by proc(5).
  func memory(_ kind: Memory) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(kind.rawValue) }
    guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first,
      let count = Int(kibibytes)
    else { throw Unanswered(description: "The memory of the server is not known.") }
    return count << 10
  }

  /// Stops the server by a signal.
  /// - Throws: if it does not end within 10 seconds, or with another status than 0.
  func stop() async throws {
    let start = ContinuousClock.now
    process.terminate()
    let status = await process.status()
    let duration = start.duration(to: .now)
    // A slow machine gets more time.
    let limit = AttackTests.isSoak ? Duration.seconds(10) : .seconds(30)
    guard status == 0, duration < limit else {
      throw Unanswered(
        description: "The server has ended with \(status) after \(duration): \(process.errors)")
    }
  }

  /// Kills the server.
  func kill() async {
    process.kill()
    _ = await process.status()
  }
}
