import Foundation
import FoundationNetworking
import OffshoreHTTP
import OffshoreLogging
import OffshorePresentation
import Synchronization
import TestSupport
import Testing

@testable import OffshoreHost
@testable import offshore_apps

/// The program with the apps that it has.
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

  @Test func `the pages of the version before are found at their addresses`() async throws {
    let options = try HostOptions(
      ["--home", home, "--port", "0"], environment: [:], of: OffshoreApps.program)
    var environment = AppDevice.Environment()
    environment.logger = AppLogger(.repository, to: .none)
    let host = try await DeviceHost(
      options, OffshoreApps.program.apps, environment: environment)
    let former = [
      "/", "/charters", "/charters/new", "/library", "/library/guides/new", "/profile",
      "/profile/account", "/profile/sync", "/settings", "/about", "/open",
    ]
    let ends = try await open(former, at: host.address)
    #expect(Array(ends.dropFirst(2)) == former.dropFirst().map { "/anyfleet\($0)" })
    await host.stop()
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `stopping while pages are open logs no errors`() async throws {
    let shared = Entries()
    var environment = AppDevice.Environment()
    environment.logger = AppLogger(.repository, to: LogSink { shared.add($0) })
    let options = try HostOptions(
      ["--home", home, "--port", "0"], environment: [:], of: OffshoreApps.program)
    let host = try await DeviceHost(
      options, OffshoreApps.program.apps, environment: environment)
    _ = try await open(
      ["/anyfleet/charters", "/anyfleet/charters/new", "/anyfleet/library", "/anyfleet/profile"],
      at: host.address)
    await host.stop()
    // The end of the files wakes tasks of the main actor.
    for _ in 0..<200 { await Task.yield() }
    #expect(shared.all.contains { $0.message == "observeCharterChanges" })
    #expect(shared.all.filter { $0.level >= .warning } == [])
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test(
    arguments: [
      (["--help"], 0), (["--port", "many"], 1), (["phone", "--of-dock"], 1),
      (["dock", "--server", "https://boats.example.org"], 1), (["manifest", "nothing"], 1),
    ] as [([String], Int32)])
  func `the program ends with its status if its output is not read`(
    _ arguments: [String], _ status: Int32
  ) throws {
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
}

/// Log entries, from any thread.
private final class Entries: Sendable {
  private let collected = Mutex<[LogEntry]>([])
  var all: [LogEntry] { collected.withLock(\.self) }
  func add(_ entry: LogEntry) { collected.withLock { $0.append(entry) } }
}
