import Foundation
import OffshoreSync
import TestSupport

/// An error that ends a round.
struct Stuck: Error, CustomStringConvertible {
  let description: String
}

/// A server and the devices of two people who write to each other in MessAI, each a process.
final class MessageFleet {
  static let names = ["ann", "ben"]

  let folder: FaultFolder
  /// The conversation of the two.
  let conversation = UUID().uuidString
  /// The number of messages that devices have cancelled, each with a photo.
  private(set) var withdrawnCount = 0
  /// The ids of the messages after whose storing a device has printed them, with repetitions.
  private(set) var written: [String] = []
  /// The number of messages that each person writes.
  private let count: Int
  private var random: SeededRandom
  private var server: FaultProcess?
  private var devices: [FaultProcess?] = [nil, nil]
  private var accounts: [SignedInAccount] = []
  private var port: UInt16 = 0

  init(seed: UInt64, count: Int) throws {
    folder = try FaultFolder()
    random = SeededRandom(seed: seed)
    self.count = count
  }

  deinit { for process in devices + [server] { process?.kill() } }

  /// The path of a device's file.
  func file(of name: String) -> String { folder.file("\(name).sqlite") }

  /// The path of the server's file.
  var serverFile: String { folder.file("server.sqlite") }

  // MARK: - Processes

  /// Starts a server and the devices, and waits until both people are in the conversation.
  func start() async throws {
    let export = try FaultProcess("fault-messages", ["manifest", manifest])
    guard await export.status() == 0 else { throw Stuck(description: export.errors) }
    try await startServer()
    for name in Self.names {
      accounts.append(try await client().signUp(name, "correct horse", as: UUID()))
    }
    try startDevice(0)
    devices[0]?.send("found")
    try await wait(0, "does not create the conversation") { $0.contains("found") }
    let scope = try ScopeID(kind: "conversation", value: conversation)
    let invitation = try await client().invite(to: scope, as: .editor, token: accounts[0].token)
    _ = try await client().accept(invitation.code, token: accounts[1].token)
    try startDevice(1)
    for number in 0..<2 {
      try await wait(number, "does not know the members") { $0.contains("joined") }
    }
  }

  private var manifest: String { folder.file("manifest.json") }
  private var address: String { "http://127.0.0.1:\(port)" }

  private func client() throws -> AccountClient {
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    return AccountClient(HTTPTransport(url))
  }

  private func startServer() async throws {
    let process = try FaultProcess(
      "offshore",
      [
        "serve", "--data", serverFile, "--manifest", manifest, "--listen", "127.0.0.1:\(port)",
        "--open-sign-up", "yes",
      ])
    server = process
    let line = await process.lines(1).first ?? ""
    guard let found = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw Stuck(description: "The server does not start: \(process.errors)")
    }
    port = found
  }

  private func killServer() async {
    server?.kill()
    _ = await server?.status()
    server = nil
  }

  private func startDevice(_ number: Int) throws {
    let (name, account) = (Self.names[number], accounts[number])
    devices[number] = try FaultProcess(
      "fault-messages",
      [
        "run", file(of: name), address, account.id.uuidString, account.token, name,
        conversation, "\(count)",
      ])
  }

  private func restartDevice(_ number: Int, _ command: String) async throws {
    devices[number]?.kill()
    try await end(number, with: SIGKILL)
    try startDevice(number)
    devices[number]?.send(command)
  }

  private func end(_ number: Int, with status: Int32) async throws {
    guard let process = devices[number] else { return }
    let found = await process.status()
    let lines = await process.lines(0)
    written += lines.filter { $0.hasPrefix("wrote ") }
    withdrawnCount += lines.count { $0.hasPrefix("withdrew ") }
    devices[number] = nil
    guard found == status else {
      throw Stuck(description: "\(Self.names[number]) has ended with \(found): \(process.errors)")
    }
  }

  // MARK: - Faults

  /// Lets both people write while the server is down, and kills their devices meanwhile.
  func writeOffline(kills: Int) async throws {
    await killServer()
    for device in devices { device?.send("write") }
    for _ in 0..<kills {
      let number = random.number(below: 2)
      let more = 1 + random.number(below: max(1, count / 3))
      try await wait(number, "does not write") { lines in
        lines.count { $0.hasPrefix("wrote ") } >= more || lines.contains("written")
      }
      try await restartDevice(number, "write")
    }
    for number in 0..<2 {
      try await wait(number, "does not write all") { $0.contains("written") }
    }
  }

  /// Starts the server, and kills it and the devices while they sync and read, until both people know that
  /// everything is read.
  func sync(kills: Int) async throws {
    try await startServer()
    for device in devices { device?.send("read") }
    let end = lastLine
    for _ in 0..<kills {
      let watched = random.number(below: 2)
      let count = await (devices[watched]?.lines(0).count ?? 0) + random.number(below: 12)
      try await wait(watched, "does not sync") { $0.count >= count || $0.contains(end) }
      let victim = random.number(below: 3)
      if victim < 2 {
        try await restartDevice(victim, "read")
      } else {
        await killServer()
        try await startServer()
      }
    }
    for number in 0..<2 { try await wait(number, "does not show all") { $0.contains(end) } }
    for device in devices { device?.send("settle") }
    for number in 0..<2 { try await wait(number, "does not settle") { $0.contains("settled") } }
  }

  /// The line that a device prints when it has all messages and files, and everything is read.
  private var lastLine: String {
    let imageCount = (0..<count).count { $0 % 10 == 7 }
    return "shows \(2 * count) \(2 * count) \(4 * imageCount)"
  }

  /// Ends all processes.
  func stop() async throws {
    for number in 0..<2 {
      devices[number]?.endInput()
      try await end(number, with: 0)
    }
    server?.terminate()
    let status = await server?.status()
    guard status == 0 else {
      throw Stuck(description: "The server has ended with \(status ?? -1): \(server?.errors ?? "")")
    }
    server = nil
  }

  /// Waits until a device has printed certain lines. The limit of two minutes only ends
  /// a device that is stuck.
  private func wait(
    _ number: Int, _ complaint: String, until isSaid: @escaping @Sendable ([String]) -> Bool
  ) async throws {
    guard let process = devices[number] else { return }
    let watch = Task {
      try await Task.sleep(for: .seconds(120))
      process.kill()
    }
    defer { watch.cancel() }
    let lines = await process.lines(until: isSaid)
    guard isSaid(lines) else {
      throw Stuck(
        description: "\(Self.names[number]) \(complaint). \(lines.last ?? "") \(process.errors)")
    }
  }
}
