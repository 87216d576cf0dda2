import Foundation
import FoundationNetworking
import Offshore
import OffshoreHTTP
import OffshoreLogging
import OffshorePresentation
import OffshoreSync
import OffshoreTesting
import Synchronization
import TestSupport
import Testing

@testable import OffshoreHost
@testable import offshore_apps

/// Tests of the program with all its apps.
@Suite(.timeLimit(.minutes(1)))
struct OffshoreAppsTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "offshore-apps-\(UUID().uuidString)").path(percentEncoded: false)

  /// Opens pages as a browser does.
  private func open(_ paths: [String], at address: String) async throws -> [String] {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    var components = try #require(URLComponents(string: address))
    var ends: [String] = []
    for path in [components.path] + paths {
      components.path = path
      let (_, response) = try await session.data(from: try #require(components.url))
      #expect((response as? HTTPURLResponse)?.statusCode == 200, "\(path)")
      ends.append(response.url?.path() ?? "")
      components.query = nil
    }
    return ends
  }

  @Test func `The pages of the version before are found at their addresses`() async throws {
    let options = try HostOptions(
      ["--home", home, "--port", "0"], environment: [:], of: OffshoreApps.program)
    let host = try await DeviceHost(options, OffshoreApps.program.apps, environment: .quiet)
    let former = [
      "/", "/charters", "/charters/new", "/library", "/library/guides/new", "/profile",
      "/profile/account", "/profile/sync", "/settings", "/about", "/open",
    ]
    let ends = try await open(former, at: host.address)
    // The first page lists the apps.
    #expect(ends[1] == "/")
    #expect(Array(ends.dropFirst(2)) == former.dropFirst().map { "/anyfleet\($0)" })
    let joining = try await open(["/charters/join", "/anyfleet/charters/join"], at: host.address)
    #expect(joining.dropFirst() == ["/anyfleet/join/charter", "/anyfleet/join/charter"])
    await host.stop()
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test @MainActor func `A file of an earlier version opens, with its account and its language`()
    async throws
  {
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let schema = URL(filePath: #filePath).appending(path: "../../../Anyfleet/Schemas/1.11.0.sql")
    let path = home + "/anyfleet.sqlite"
    try SchemaSnapshot(String(contentsOf: schema.standardized, encoding: .utf8)).restore(to: path)
    let (charter, user) = (UUID(), UUID())
    let account = LinkedAccount(id: user, name: "skipper", server: "http://127.0.0.1:9")
    let json = String(decoding: try JSONEncoder().encode(account), as: UTF8.self)
    let former = try Database(path)
    try await former.write { writer in
      for sql: SQL in [
        """
        INSERT INTO charters (id, name, startDate, endDate, createdAt)
        VALUES (\(charter), 'Kornati week', 802440000, 803044800, 789000000)
        """,
        "INSERT OR REPLACE INTO settings VALUES ('userID', \(user.uuidString))",
        "INSERT OR REPLACE INTO settings VALUES ('account', \(json))",
        "INSERT OR REPLACE INTO settings VALUES ('accountToken', 'secret')",
        "INSERT OR REPLACE INTO settings VALUES ('language', 'ru')",
      ] { try sql.run(writer) }
    }
    await former.close()
    let options = try HostOptions(
      ["--home", home, "--port", "0", "--server", "http://127.0.0.1:9"], environment: [:],
      of: OffshoreApps.program)
    let host = try await DeviceHost(options, OffshoreApps.program.apps, environment: .quiet)
    let app = try #require(host.apps.first)
    #expect(app.language == .russian)
    #expect(app.sync.session.isSignedIn && app.sync.session.account == account)
    #expect(
      try await open(["/charters/\(charter.uuidString)"], at: host.address).last
        == "/anyfleet/charters/\(charter.uuidString)")
    await host.stop()
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `A device stops gracefully when it is terminated, and has its data at the next start`()
    async throws
  {
    var secrets: Set<String> = []
    for _ in 0..<2 {
      let device = try FaultProcess("offshore-apps", ["--home", home, "--port", "0"])
      let line = try #require(await device.lines(1).first)
      #expect(line.hasPrefix("The apps are at http://127.0.0.1:"))
      secrets.insert(String(try #require(line.split(separator: "=").last)))
      device.terminate()
      #expect(await device.status() == 0)
    }
    #expect(secrets.count == 1)
    for app in ["anyfleet", "messai"] {
      #expect(FileManager.default.fileExists(atPath: "\(home)/\(app).sqlite"))
    }
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `The files of a device are for its user only, whatever the umask of the shell`()
    async throws
  {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "offshore-apps").path(percentEncoded: false)
    let output = Pipe()
    let device = try TestProcess(
      "/bin/sh", ["-c", "umask 0; exec \"$@\"", "sh", program, "--home", home, "--port", "0"],
      output: .pipe(output))
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    let files = try FileManager.default.subpathsOfDirectory(atPath: home)
    #expect(files.contains("anyfleet.sqlite") && files.contains("launch-secret"))
    for file in files {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(home)/\(file)")
      let permissions = try #require(attributes[.posixPermissions] as? Int)
      #expect(permissions & 0o077 == 0, "\(file)")
    }
    device.terminate()
    device.wait()
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `Stopping while pages are open logs no errors`() async throws {
    let entries = Entries()
    weak let recorder = try await openAndStop(LogRecorder(entries: entries))
    // Tasks of the main actor outlive their file, and may still log then.
    while recorder != nil { await Task.yield() }
    #expect(entries.all.contains { $0.message == "observeCharterChanges" })
    #expect(entries.all.filter { $0.level >= .warning } == [])
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Stops a device while its pages are open. All objects that may log still have the recorder.
  private func openAndStop(_ recorder: LogRecorder) async throws -> LogRecorder {
    var environment = AppDevice.Environment()
    environment.logger = AppLogger(.repository, to: LogSink { recorder.entries.add($0) })
    let options = try HostOptions(
      ["--home", home, "--port", "0"], environment: [:], of: OffshoreApps.program)
    let host = try await DeviceHost(
      options, OffshoreApps.program.apps, environment: environment)
    _ = try await open(
      ["/anyfleet/charters", "/anyfleet/charters/new", "/anyfleet/library", "/anyfleet/profile"],
      at: host.address)
    await host.stop()
    return recorder
  }

  @Test(
    arguments: [
      (["--help"], 0), (["--port", "many"], 1), (["phone", "--of-dock"], 1),
      (["dock", "--server", "https://boats.example.org"], 1), (["manifest", "nothing"], 1),
    ] as [([String], Int32)])
  func `The program ends with its status if its output is not read`(
    _ arguments: [String], _ status: Int32
  ) throws {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "offshore-apps").path(percentEncoded: false)
    let output = Pipe()
    try output.fileHandleForReading.close()
    let process = try TestProcess(
      program, arguments, input: .null, output: .pipe(output), errors: .pipe(output))
    #expect(process.wait() == .exit(status))
  }
}

extension AppDevice.Environment {
  /// The system's clock and ids, without logs.
  fileprivate static var quiet: AppDevice.Environment {
    var environment = AppDevice.Environment()
    environment.logger = AppLogger(.repository, to: .none)
    environment.syncLogger = AppLogger(.sync, to: .none)
    return environment
  }
}

/// Log entries, from any thread.
private final class Entries: Sendable {
  private let collected = Mutex<[LogEntry]>([])
  var all: [LogEntry] { collected.withLock(\.self) }
  func add(_ entry: LogEntry) { collected.withLock { $0.append(entry) } }
}

/// An object in a log sink. It is deallocated when no object can log any more.
private final class LogRecorder: Sendable {
  let entries: Entries
  init(entries: Entries) { self.entries = entries }
}
