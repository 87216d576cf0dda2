import Foundation
import OffshoreServer
import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// A device that follows a small board, while a large one is pushed by another account, and while the
  /// large one is new on the device.
  ///
  /// In a soak the large board has 100,000 rows. The server and the device are processes.
  struct LargeScopeTests {
    private static let count = isSoak ? 100_000 : 20_000
    /// The last row of the large board, in the order in which its rows arrive.
    private static let last = "large-last"

    private let folder: FaultFolder

    init() throws { folder = try FaultFolder() }

    /// The rows of cards are inserted one by one, because one of their columns is merged key by key.
    @Test(.timeLimit(.minutes(15)), arguments: ["ties", "cards"])
    func `A large new scope delays the changes of another one by less than 250 ms`(
      table: String
    ) async throws {
      let server = try await AttackedServer(manifest())
      let (ida, ben) = (try await server.signUp("ida"), try await server.signUp("ben"))
      let small = RawDevice(sharing: try ScopeID(kind: "board", value: UUID().uuidString))
      let large = RawDevice(sharing: try ScopeID(kind: "board", value: UUID().uuidString))
      try await small.fill(
        server, ida.token, [small.row("boards", small.scope.value, ["title": "Small"])])
      let watcher = try FaultProcess(
        "fault-device",
        [
          "watch", folder.file("watcher.sqlite"), server.url.absoluteString, ida.token,
          small.scope.value, Self.last,
        ])
      func arrival() async throws -> Duration {
        let id = UUID().uuidString
        let start = ContinuousClock.now
        try await small.fill(server, ida.token, [Self.tie(id, small)])
        await watcher.lines { $0.contains(id) }
        return start.duration(to: .now)
      }
      // The first row arrives after the board.
      _ = try await arrival()
      var before: [Duration] = []
      for _ in 0..<10 { before.append(try await arrival()) }

      let rows = Self.rows(large, of: table)
      let filled = Counter()
      let filling = Task {
        defer { filled.add() }
        try await large.fill(server, ben.token, rows)
      }
      var during: [Duration] = []
      while filled.count == 0 { during.append(try await arrival()) }
      try await filling.value

      try await grant(large.scope, to: "ida", of: server)
      var arriving: [Duration] = []
      while await !watcher.lines(0).contains(Self.last) { arriving.append(try await arrival()) }

      for (place, durations) in [("pushed", during), ("fetched", arriving)] {
        let delays = durations.map { $0 - before.median }
        print("\(place): \(delays.count) × \(delays.median), at most \(delays.most)")
        #expect(!delays.isEmpty && delays.median < Bounds.current.median, "\(place)")
      }
      // While the rows arrive, each single change counts.
      #expect((arriving.map { $0 - before.median }).most < Bounds.current.median)
      watcher.endInput()
      #expect(await watcher.status() == 0, "\(watcher.errors)")
      try await server.stop()
    }

    // MARK: - Data

    /// The boards of the device. Each account can claim boards.
    private func manifest() async throws -> Manifest {
      let process = try FaultProcess("fault-device", ["manifest", folder.file("manifest")])
      #expect(await process.status() == 0)
      let declared = try Manifest(json: Data(contentsOf: URL(filePath: folder.file("manifest"))))
      return try Manifest(
        version: declared.version, tables: declared.tables, claimableKinds: ["board"])
    }

    private static func tie(_ id: String, _ board: RawDevice) -> Op {
      board.row(
        "ties", id, ["boardID": WireValue(board.scope.value), "groupID": WireValue(id), "size": 1])
    }

    private static func card(_ id: String, _ board: RawDevice) -> Op {
      board.row(
        "cards", id,
        [
          "boardID": WireValue(board.scope.value), "text": "", "votes": 0, "marks": "{}",
        ])
    }

    private static func rows(_ board: RawDevice, of table: String) -> [Op] {
      let ids = (1..<count).map { "large-\($0)" }
      return [board.row("boards", board.scope.value, ["title": "Large"])]
        + ids.map { table == "cards" ? card($0, board) : tie($0, board) } + [tie(last, board)]
    }

    private func grant(
      _ scope: ScopeID, to account: String, of server: AttackedServer
    ) async throws {
      let data = try ServerData(server.file)
      try await data.grant(.viewer, inScopes: [scope], toAccount: account)
      await data.close()
    }
  }
}
