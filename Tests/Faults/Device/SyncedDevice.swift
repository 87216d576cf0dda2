import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Synchronization
import TestSupport

/// A database file with its sync driver and a simulated user who writes to it.
final class SyncedDevice: Sendable {
  private let name: String
  private let database: Database
  private let replica: Replica
  private let driver: SyncDriver
  private let random: Mutex<SeededRandom>
  private let isResting = Mutex(false)

  /// Opens a file or creates it.
  init(_ path: String, _ server: URL, token: String, name: String, seed: UInt64) async throws {
    self.name = name
    random = Mutex(SeededRandom(seed: seed))
    database = try Database(path, migrations: Self.migrations)
    let replica = try Replica(.boards())
    self.replica = replica
    try await database.write { writer in
      try replica.outbox.install(writer, device: DeviceID(UUID()), now: Self.now)
    }
    driver = SyncDriver(
      database, replica, over: HTTPTransport(server), timing: Self.timing)
    await driver.setToken(token)
  }

  private static let migrations: Migrations = [
    Migration("v1_createBoards") { writer in
      for creation in [Board.creation, Card.creation, Tie.creation, Ledger.creation] {
        try creation.run(writer)
      }
    }
  ]

  /// Short delays: faults last only moments in these tests.
  private static var timing: SyncEngine.Timing {
    var timing = SyncEngine.Timing()
    timing.firstDelay = 20
    timing.longestDelay = 200
    timing.polling = 300
    timing.safetyPolling = 1_000
    return timing
  }

  @Sendable private static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  // MARK: - Commands

  func start() async { await driver.start() }

  /// Creates the boards that this file has not created before.
  func make(_ boards: ArraySlice<String>) async throws {
    for board in boards { try await commit { try $0.makeBoard(board) } }
  }

  /// Writes up to four times at each status of the driver, until the device is to rest.
  func work() async throws {
    for await _ in await driver.statuses() {
      for _ in 0...random.withLock({ $0.number(below: 4) }) {
        guard !isResting.withLock({ $0 }) else { return }
        try await commit { try $0.run() }
      }
    }
  }

  func rest() { isResting.withLock { $0 = true } }

  /// Prints `quiet` when no change is pending and a pull that began after this call has succeeded.
  func settle() async throws {
    let asked = Self.now()
    await driver.syncNow()
    for await status in await driver.statuses() {
      guard status.phase.isAtRest, let last = status.lastSuccess, last >= asked else { continue }
      if try await database.read({ [replica] in try replica.status($0).pending }) == 0 { break }
      await driver.syncNow()
    }
    Ledger.tell("quiet\n")
  }

  /// Prints the id of each tie of a board, and of another tie, once it is here, until the task is
  /// cancelled.
  func watch(_ board: String, _ tie: String) async throws {
    var known: Set<String> = []
    let arrivals = database.values { reader in
      try SQL("SELECT id FROM ties WHERE boardID = \(board) OR id = \(tie) ORDER BY id")
        .all(reader, as: String.self)
    }
    for try await ids in arrivals {
      for id in ids where known.insert(id).inserted { Ledger.tell("\(id)\n") }
    }
  }

  private func commit(
    _ body: @escaping @Sendable (inout LocalWrite) throws -> Void
  ) async throws {
    let draw = random.withLock { SeededRandom(seed: $0.next()) }
    let (entries, torn) = try await database.write { [name] writer in
      let torn = try SQL(
        "SELECT groupID FROM ties GROUP BY groupID HAVING count(*) <> max(size)"
      ).all(writer, as: String.self)
      var write = try LocalWrite(name, draw, writer)
      try body(&write)
      return (write.entries, torn)
    }
    for group in torn { Ledger.tell("torn \(group)\n") }
    for entry in entries { Ledger.tell(entry.line) }
  }
}
