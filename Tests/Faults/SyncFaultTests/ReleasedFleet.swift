import Foundation
import OffshoreSync
import TestSupport

/// A server and devices of several releases of an app, each a process. All devices are of one account.
final class ReleasedFleet {
  let folder: FaultFolder
  private var server: FaultProcess?
  private var port: UInt16 = 0
  private var devices: [String: FaultProcess] = [:]
  private var account: SignedInAccount?

  /// Starts a server of the first release, with an account.
  init() async throws {
    folder = try FaultFolder()
    try await serve(1)
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    account = try await AccountClient(HTTPTransport(url)).signUp(
      "ida", "correct horse", as: UUID())
  }

  deinit {
    for process in devices.values { process.kill() }
    server?.kill()
  }

  private var address: String { "http://127.0.0.1:\(port)" }

  // MARK: - The server

  /// Stops the server, and starts it with the manifest of a release.
  func serve(_ release: Int) async throws {
    try await stopServer()
    let manifest = folder.file("manifest-\(release).json")
    let export = try FaultProcess("fault-device", ["release-manifest", "\(release)", manifest])
    guard await export.status() == 0 else { throw Stuck(description: export.errors) }
    let process = try FaultProcess(
      "offshore",
      [
        "serve", "--data", folder.file("server.sqlite"), "--manifest", manifest, "--listen",
        "127.0.0.1:\(port)", "--open-sign-up", "yes",
      ])
    server = process
    let line = await process.lines(1).first ?? ""
    guard let found = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw Stuck(description: "The server does not start: \(process.errors)")
    }
    port = found
  }

  private func stopServer() async throws {
    guard let process = server else { return }
    process.terminate()
    let status = await process.status()
    guard status == 0 else {
      throw Stuck(description: "The server has ended with \(status): \(process.errors)")
    }
    server = nil
  }

  // MARK: - Devices

  /// The path of a device's file.
  func file(of device: String) -> String { folder.file("\(device).sqlite") }

  /// Starts a device with a release of the app.
  func start(_ device: String, release: Int) throws {
    guard let account else { throw Stuck(description: "There is no account.") }
    devices[device] = try FaultProcess(
      "fault-device",
      [
        "release", "\(release)", file(of: device), address, account.id.uuidString, account.token,
      ])
  }

  /// Lets a device obey a command.
  /// - Returns: the lines that it prints.
  @discardableResult
  func tell(_ device: String, _ command: String) async throws -> [String] {
    guard let process = devices[device] else {
      throw Stuck(description: "\(device) does not run.")
    }
    let count = await process.lines(0).count
    process.send(command)
    let lines = await process.lines { $0.dropFirst(count).contains("done") }.dropFirst(count)
    guard lines.contains("done") else {
      throw Stuck(description: "\(device) has ended at “\(command)”: \(process.errors)")
    }
    return Array(lines.prefix { $0 != "done" })
  }

  /// Kills a device, and starts it with a release of the app.
  func restart(_ device: String, release: Int) async throws {
    devices[device]?.kill()
    _ = await devices[device]?.status()
    try start(device, release: release)
  }

  /// Ends all processes.
  func stop() async throws {
    for (device, process) in devices {
      process.endInput()
      guard await process.status() == 0 else {
        throw Stuck(description: "\(device) has failed: \(process.errors)")
      }
    }
    try await stopServer()
  }
}
