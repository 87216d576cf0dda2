import Foundation
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

/// An error that ends a round.
struct Stuck: Error, CustomStringConvertible {
  let description: String
}

/// A server and four devices, each a process, and the proxies between them.
///
/// Account 0 has the devices `d0` and `d1`, and owns the boards `b1` and `b3`. Account 1 has `d2`,
/// owns `b2` and edits `b1`. Account 2 has `d3` and edits `b2`. So only account 0 may read `b3`.
final class Fleet {
  static let owners = [0, 0, 1, 2]
  static let ownBoards = [["b1", "b3"], [], ["b2"], []]
  /// The invitations: the board, the inviting owner and the invited account.
  static let members = [(board: "b1", owner: 0, guest: 1), (board: "b2", owner: 1, guest: 2)]

  let folder: FaultFolder
  let proxies: [FaultProxy]
  private(set) var printed = [[String]](repeating: [], count: 4)
  private var random: SeededRandom
  private var server: FaultProcess?
  private var devices: [FaultProcess?] = [nil, nil, nil, nil]
  private var port: UInt16 = 0
  private var guests: Set<String> = []

  init(seed: UInt64) async throws {
    folder = try FaultFolder()
    random = SeededRandom(seed: seed)
    let seeds = (0..<4).map { seed &* 31 &+ UInt64($0) }
    proxies = try seeds.map { try FaultProxy(seed: $0) }
    let status = try await FaultProcess("fault-device", ["manifest", folder.file("manifest.json")])
      .status()
    guard status == 0 else { throw Stuck(description: "There is no manifest.") }
    try await withLog { log in try await log.write { try Self.prepare(&$0) } }
  }

  /// Opens the server's file for the duration of a closure.
  ///
  /// NB: No longer than that. After a kill, the server must be the only process with the file open.
  func withLog<Result>(
    _ body: (SQLiteStorage) async throws -> Result
  ) async throws -> Result {
    let log = try SQLiteStorage(folder.file("server.sqlite"), epoch: 7)
    do {
      let result = try await body(log)
      await log.close()
      return result
    } catch {
      await log.close()
      throw error
    }
  }

  deinit { for process in devices + [server] { process?.kill() } }

  private static func prepare(_ log: inout some StorageTransaction) throws {
    for number in 0..<3 {
      try log.setAccount(
        Account(
          id: account(number), name: AccountName("person-\(number)"),
          password: .none, created: 0))
      try log.addToken(
        AccessToken(
          hash: secret(number).hash, account: account(number), label: "", created: 0,
          expires: .max))
    }
    for (number, board) in [(0, "b1"), (0, "b3"), (1, "b2")] {
      try log.grant(.owner, to: account(number), in: scope(board))
    }
  }

  static func account(_ number: Int) -> AccountID {
    AccountID(UUID(uuid: (0, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, UInt8(number))))
  }

  static func scope(_ board: String) throws -> ScopeID {
    try ScopeID(kind: "board", value: board)
  }

  private static func secret(_ number: Int) -> Secret {
    Secret(bytes: Array(repeating: UInt8(number + 1), count: Secret.byteCount))
  }

  // MARK: - Processes

  func start() async throws {
    try await startServer()
    for number in 0..<4 { try startDevice(number) }
    for member in Self.members { await admit(member) }
    guard guests.count == Self.members.count else {
      throw Stuck(description: "An invitation was refused.")
    }
    // Every device that has a board writes.
    try await wait(.seconds(20), "does not begin to write") { !$0.isEmpty }
  }

  private func startServer() async throws {
    let process = try FaultProcess(
      "offshore",
      [
        "serve", "--data", folder.file("server.sqlite"), "--manifest",
        folder.file("manifest.json"), "--listen", "127.0.0.1:\(port)",
      ])
    server = process
    let line = await process.lines(1).first ?? ""
    guard let found = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw Stuck(description: "The server does not start: \(process.errors)")
    }
    port = found
    for proxy in proxies { proxy.lead(to: port) }
  }

  private func startDevice(_ number: Int) throws {
    devices[number] = try FaultProcess(
      "fault-device",
      [
        "run", folder.file("d\(number).sqlite"), "http://127.0.0.1:\(proxies[number].port)",
        Self.secret(Self.owners[number]).text, "d\(number)", "\(random.next())",
      ] + Self.ownBoards[number])
  }

  private func killDevice(_ number: Int) async throws {
    guard let process = devices[number] else { return }
    process.kill()
    let status = await process.status()
    printed[number] += await process.lines(0)
    guard status == SIGKILL else {
      throw Stuck(description: "Device d\(number) has ended by itself: \(process.errors)")
    }
    devices[number] = nil
  }

  // MARK: - Faults

  /// Injects faults, each after some more writes, so that a slow machine gets as many faults per
  /// write.
  func suffer(_ count: Int) async throws {
    for proxy in proxies { proxy.become(.faulty) }
    for _ in 0..<count {
      await lookOn()
      try await strike()
    }
    for proxy in proxies { proxy.become(.honest) }
  }

  /// Waits until one of the devices that always have a board has printed more lines.
  private func lookOn() async {
    guard let process = devices[random.number(below: 3)] else { return }
    let count = await process.lines(0).count
    await process.lines(count + random.number(below: 16))
  }

  private func strike() async throws {
    for proxy in proxies where random.number(below: 4) == 0 { proxy.recover() }
    let number = random.number(below: 4)
    switch random.number(below: 12) {
    case 0..<3:
      try await killDevice(number)
      try startDevice(number)
    case 3, 4:
      server?.kill()
      _ = await server?.status()
      try await startServer()
    case 5, 6: proxies[number].cut()
    case 7: proxies[number].become(.refusing)
    case 8, 9: proxies[number].become(.faulty)
    case 10: await changeMember(Self.members[random.number(below: Self.members.count)])
    default: try await collect(["b1", "b2", "b3"][random.number(below: 3)])
    }
  }

  /// Removes the tombstones of the older three quarters of a board's changes.
  private func collect(_ board: String) async throws {
    try await withLog { log in
      try await log.write { log in
        let scope = try Self.scope(board)
        try log.collect(scope, upTo: try log.scope(scope).head * 3 / 4)
      }
    }
  }

  private func changeMember(_ member: (board: String, owner: Int, guest: Int)) async {
    guard guests.contains(member.board) else { return await admit(member) }
    guard let scope = try? Self.scope(member.board) else { return }
    try? await client().remove(
      Self.account(member.guest).uuid, from: scope, token: Self.secret(member.owner).text)
    guests.remove(member.board)
  }

  private func admit(_ member: (board: String, owner: Int, guest: Int)) async {
    guard let scope = try? Self.scope(member.board),
      let invitation = try? await client().invite(
        to: scope, as: .editor, token: Self.secret(member.owner).text),
      (try? await client().accept(invitation.code, token: Self.secret(member.guest).text)) != nil
    else { return }
    guests.insert(member.board)
  }

  private func client() throws -> AccountClient {
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
    return AccountClient(HTTPTransport(url))
  }

  // MARK: - End

  /// Stops all writes, waits until every device has all changes, then ends all processes.
  func settle(within limit: Duration) async throws {
    // After the first pass every change is on the server, and after the second on every device. The
    // third sends and distributes changes that the second has sealed again.
    for (pass, word) in ["rest", "sync", "sync"].enumerated() {
      for process in devices { process?.send(word) }
      try await wait(limit, "does not come to rest") { $0.count { $0 == "quiet" } > pass }
    }
    for number in 0..<4 { try await killDevice(number) }
    server?.terminate()
    _ = await server?.status()
  }

  /// Waits until each device has printed certain lines. Kills all devices when the limit is
  /// exceeded.
  private func wait(
    _ limit: Duration, _ complaint: String, until isSaid: @escaping @Sendable ([String]) -> Bool
  ) async throws {
    let running = devices.compactMap(\.self)
    let watch = Task {
      try await Task.sleep(for: limit)
      for process in running { process.kill() }
    }
    defer { watch.cancel() }
    for (number, process) in running.enumerated() {
      guard isSaid(await process.lines(until: isSaid)) else {
        throw Stuck(description: "Device d\(number) \(complaint). \(process.errors)")
      }
    }
  }
}
