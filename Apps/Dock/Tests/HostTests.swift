import Foundation
import FoundationNetworking
import OffshoreHTTP
import OffshoreLogging
import Synchronization
import TestSupport
import Testing

@testable import offshore_apps

/// A folder that is removed with the object.
private final class HomeFolder {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "offshore-host-\(UUID().uuidString)").path(percentEncoded: false)

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func options(port: UInt16 = 0) throws -> HostOptions {
    try HostOptions(["--home", path, "--port", "\(port)"], environment: [:])
  }
}

/// What is logged.
private final class Log: Sendable {
  private let collected = Mutex<[LogEntry]>([])
  var entries: [LogEntry] { collected.withLock { $0 } }
  var logger: AppLogger {
    AppLogger(.repository, to: LogSink { [self] entry in collected.withLock { $0.append(entry) } })
  }
}

// One after the other, since a process waits for signals in one place only.
@Suite(.serialized)
struct HostTests {
  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("The folder is made for its user alone, and one that is there is closed to others")
  func folderPermissions() throws {
    let home = HomeFolder()
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    _ = try DataFolder(home.path)
    #expect(try permissions(home.path) == 0o700)
    let inner = try DataFolder(home.path + "/a/b")
    #expect(try permissions(inner.path) == 0o700)
  }

  @Test("A folder of somebody else's files is not closed to others, and not used")
  func sharedFolder() throws {
    let home = HomeFolder()
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    #expect(FileManager.default.createFile(atPath: home.path + "/letter.txt", contents: Data()))
    let error = #expect(throws: HostError.self) { try DataFolder(home.path) }
    #expect(error?.description.contains("--home") == true)
    #expect(try permissions(home.path) == 0o755)

    #expect(
      FileManager.default.createFile(atPath: home.path + "/anyfleet.sqlite", contents: Data()))
    _ = try DataFolder(home.path)
    #expect(try permissions(home.path) == 0o700)
  }

  @Test("A file in place of the folder is an error that says what to do")
  func fileInPlaceOfFolder() throws {
    let home = HomeFolder()
    #expect(FileManager.default.createFile(atPath: home.path, contents: Data()))
    let error = #expect(throws: HostError.self) { try DataFolder(home.path) }
    #expect(error?.description.contains("--home") == true)
  }

  @Test(
    "A folder that may not be written is an error that says what to do",
    .enabled(if: geteuid() != 0, "The superuser may write everywhere."))
  func readOnlyFolder() throws {
    let home = HomeFolder()
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let inner = home.path + "/data"
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: home.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: home.path)
    }
    let error = #expect(throws: HostError.self) { try DataFolder(inner) }
    #expect(error?.description.contains("--home") == true)
  }

  @Test("The secret is kept for its user alone, and a short one is not taken")
  func launchSecret() throws {
    let home = HomeFolder()
    let folder = try DataFolder(home.path)
    let secret = try LaunchSecret.kept(in: folder)
    #expect(try LaunchSecret.kept(in: folder) == secret)
    #expect(try permissions(folder.path(of: .launchToken)) == 0o600)
    try Data("short".utf8).write(to: URL(filePath: folder.path(of: .launchToken)))
    #expect(try LaunchSecret.kept(in: folder).count >= 20)
  }

  @Test("A host answers at the address that it prints, and stops")
  func startsAndStops() async throws {
    let home = HomeFolder()
    let host = try await Host(home.options())
    #expect(host.address.hasPrefix("http://127.0.0.1:"))
    await host.stop()
    let again = try await Host(home.options())
    #expect(again.address.split(separator: "?").last == host.address.split(separator: "?").last)
    await again.stop()
  }

  /// Gets in, and opens pages as a browser does.
  private func open(_ paths: [String], at address: String) async throws {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    var components = try #require(URLComponents(string: address))
    for path in [components.path] + paths {
      components.path = path
      let (_, response) = try await session.data(from: try #require(components.url))
      #expect((response as? HTTPURLResponse)?.statusCode == 200, "\(path)")
      components.query = nil
    }
  }

  @Test("Stopping while pages are open is nothing that is logged as an error")
  @MainActor func stopsQuietly() async throws {
    let (home, log) = (HomeFolder(), Log())
    let host = try await Host(home.options(), logger: log.logger)
    try await open(["/", "/charters", "/charters/new", "/library", "/profile"], at: host.address)
    await host.stop()
    // Whatever the end of the files wakes works on the main actor.
    for _ in 0..<200 { await Task.yield() }
    #expect(log.entries.contains { $0.message == "observeCharterChanges" })
    #expect(log.entries.filter { $0.level >= .warning } == [])
  }

  @Test("A port that is taken is an error that says so")
  func takenPort() async throws {
    let (first, second) = (HomeFolder(), HomeFolder())
    let host = try await Host(first.options())
    let port = try #require(URL(string: host.address)?.port)
    do {
      let other = try await Host(second.options(port: UInt16(port)))
      await other.stop()
      Issue.record("Two hosts share a port.")
    } catch {
      #expect(Host.explanation(of: error).contains("--port"))
    }
    await host.stop()
  }

  @Test("A database that is garbage is an error that names the remedy and leaves the file alone")
  func garbage() async throws {
    let home = HomeFolder()
    let folder = try DataFolder(home.path)
    let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
    let file = URL(filePath: folder.path(of: .anyfleet))
    try garbage.write(to: file)
    do {
      let host = try await Host(home.options())
      await host.stop()
      Issue.record("Garbage was opened.")
    } catch {
      #expect(Host.explanation(of: error).contains("not an SQLite database"))
      #expect(Host.explanation(of: error).contains(file.path(percentEncoded: false)))
    }
    #expect(try Data(contentsOf: file) == garbage)
  }

  @Test("The program serves until a signal arrives, and then stops gracefully")
  func endsBySignal() async {
    let home = HomeFolder()
    let status = await OffshoreApps.run(
      ["--home", home.path, "--port", "0"], environment: [:], signals: [SIGUSR2]
    ) {
      kill(getpid(), SIGUSR2)
    }
    #expect(status == 0)
  }

  @Test(
    "The program ends as usual if nobody reads its output",
    arguments: [
      (["--help"], 0), (["--port", "many"], 1), (["phone", "--of-dock"], 1),
    ] as [([String], Int32)])
  func outlivesReaders(arguments: [String], status: Int32) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "offshore-apps").path(percentEncoded: false)
    process.arguments = ["--default-signal=PIPE", program] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try BrokenPipe.makeWriter()
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == status)
  }

  @Test("The program explains its options, and refuses what makes no sense with a status of 1")
  func refusesToStart() async {
    #expect(await OffshoreApps.run(["--help"], environment: [:]) == 0)
    #expect(await OffshoreApps.run(["--port", "many"], environment: [:]) == 1)
    #expect(await OffshoreApps.run(["--home", "/dev/null/x"], environment: [:]) == 1)
  }
}
