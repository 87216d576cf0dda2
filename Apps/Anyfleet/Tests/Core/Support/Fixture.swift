import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import Synchronization
import TestSupport

@testable import Anyfleet

/// A repository on an empty database, with a clock that a test sets and a record of the log.
final class Fixture: Sendable {
  let database: AppDatabase
  let repository: LocalRepository
  private let time: Clock
  private let entries: Collected<LogEntry>

  /// A date that tests read and set.
  final class Clock: Sendable {
    private let date = Mutex(Date.day(6, 6))
    var now: Date {
      get { date.withLock { $0 } }
      set { date.withLock { $0 = newValue } }
    }
  }

  /// Values collected from any thread, in the order of their arrival.
  final class Collected<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func add(_ value: Value) { values.withLock { $0.append(value) } }
  }

  init(_ database: AppDatabase? = nil) throws {
    let (time, entries) = (Clock(), Collected<LogEntry>())
    self.database = try database ?? .makeEmpty()
    repository = LocalRepository(
      database: self.database, now: { time.now },
      logger: AppLogger(.repository, to: LogSink { entries.add($0) }))
    (self.time, self.entries) = (time, entries)
  }

  /// The current date of the repository.
  var now: Date {
    get { time.now }
    set { time.now = newValue }
  }

  /// The log entries without durations.
  var log: [String] { entries.all.map { "\($0.level) \($0.message)" } }

  /// The log entries as they are written.
  var lines: [String] { entries.all.map(\.description) }

  /// The number of log entries about rows that lists left out.
  var unreadableRowCount: Int { log.count { $0 == "warning row left out" } }

  /// The id of this device's user.
  func userID() async throws -> UUID {
    try await database.store.read { try SyncedStore.userID($0) }
  }

  /// Creates a store of the charters with days in UTC.
  @MainActor func makeCharterStore() -> CharterStore {
    CharterStore(repository: repository, now: { self.now }, calendar: { .utc })
  }

  // MARK: - Rows

  func charter(_ name: String = "Kornati", from start: Date = .day(6, 6)) async throws
    -> CharterModel
  {
    let charter = CharterModel.sample(name, from: start)
    try await repository.createCharter(charter)
    return charter
  }

  func checklist(_ title: String = "Check-in", items: Int = 3) async throws -> Checklist {
    let checklist = Checklist.sample(title, items: items)
    try await repository.saveChecklist(checklist)
    return checklist
  }

  /// Checks or unchecks an item.
  func tick(
    _ item: Int, of checklist: Checklist, in charter: CharterModel, _ isChecked: Bool = true
  ) async throws {
    try await repository.saveItemState(
      checklistID: checklist.id, charterID: charter.id, itemID: checklist.items[item].id,
      isChecked: isChecked)
  }

  /// Loads the state of a checklist in a charter.
  func state(_ checklist: Checklist, in charter: CharterModel) async throws
    -> ChecklistExecutionState?
  {
    try await repository.loadExecutionState(checklistID: checklist.id, charterID: charter.id)
  }

  /// Runs a statement.
  func run(_ sql: SQL) async throws { _ = try await database.database.write { try sql.run($0) } }

  /// The texts of a result with one column.
  func texts(_ sql: SQL) async throws -> [String?] {
    try await database.database.read { try sql.all($0, as: String?.self) }
  }

  /// The steps of SQLite's plan for a statement.
  func plan(_ sql: SQL) async throws -> [String] {
    try await database.database.read { reader in
      try SQL("EXPLAIN QUERY PLAN \(sql)")
        .all(reader, as: Int.self, Int.self, Int.self, String.self)
        .map { _, _, _, detail in detail }
    }
  }

  /// The number of rows of a table.
  func count(_ table: String) async throws -> Int? {
    try await database.database.read { reader in
      try SQL("SELECT count(*) FROM \(identifier: table)").first(reader, as: Int.self)
    }
  }
}

extension Writer {
  /// Makes all charters unreadable.
  func damageCharters() throws -> Int { try SQL("UPDATE charters SET crew = '['").run(self) }
}

extension Fixture {
  private static let changes: [(name: String, sql: SQL)] = [
    ("insert", "INSERT"), ("update", "UPDATE"), ("delete", "DELETE"),
  ]

  /// Makes each change of a table's rows fail, until ``accept()``.
  func refuse(changesOf table: String) async throws {
    for change in Self.changes {
      try await run(
        """
        CREATE TRIGGER \(identifier: "refuse \(change.name)") BEFORE \(change.sql)
        ON \(identifier: table) BEGIN SELECT raise(ABORT, 'refused'); END
        """)
    }
  }

  /// Accepts changes again.
  func accept() async throws {
    for change in Self.changes {
      try await run("DROP TRIGGER \(identifier: "refuse \(change.name)")")
    }
  }

  /// Returns all stored data, for comparison.
  func dump() async throws -> [String?] {
    var dump: [String?] = []
    for case let table? in try await texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    {
      let columns = try await texts("SELECT name FROM pragma_table_info(\(table)) ORDER BY cid")
      for case let column? in columns {
        dump += try await texts(
          """
          SELECT \(table) || \(column) || quote(\(identifier: column)) FROM \(identifier: table)
          ORDER BY 1
          """)
      }
    }
    return dump
  }
}
