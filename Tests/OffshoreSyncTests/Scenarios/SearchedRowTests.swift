import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

/// Text indexes of synced tables.
@Suite(.timeLimit(.minutes(5)))
struct SearchedRowTests {
  private static let seeds = Array(1...UInt64(Rounds.count(ofSoak: 100, else: 4)))

  @Test(arguments: seeds)
  func `An index equals a full scan after any kind of sync event`(_ seed: UInt64) throws {
    var course = try SearchedCourse(seed: seed)
    for round in 0..<24 {
      for _ in 0..<25 { try course.step() }
      try course.expectEqual("seed \(seed), round \(round)")
    }
    try course.harbour.settle()
    try course.expectEqual("seed \(seed), settled")
    let content = try course.harbour.ships[0].content()
    #expect(try course.harbour.ships[1].content() == content, "seed \(seed)")
    #expect(course.tally.count == SearchedCourse.Step.allCases.count, "\(course.tally)")
  }

  @Test func `An index interferes neither with installing nor with capturing`() throws {
    let harbour = try SearchedCourse(seed: 0).harbour
    let device = harbour.ships[0].device
    try harbour.settle()
    try harbour.ships[0].run("UPDATE tasks SET title = 'Ёлка' WHERE id = 't1'")
    #expect(try device.connection.read { try Task.found("елка", $0) } == ["t1"])
    #expect(try device.journal() == ["tasks/t1 update 2"])
    let triggers = try device.texts(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '\\_%' ESCAPE '\\'")
    #expect(triggers.filter { $0.hasPrefix("_text_tasks") }.count == 4)
    #expect(
      try device.texts(
        "SELECT tbl_name FROM sqlite_schema WHERE name LIKE '\\_capture\\_%' ESCAPE '\\'"
      ).allSatisfy { ["charters", "tasks"].contains($0) })
    try device.install()
    try device.connection.write { try $0.verify(Task.text) }
  }

  @Test func `A migration that rebuilds a synced table preserves its index and captured changes`()
    throws
  {
    var course = try SearchedCourse(seed: 0)
    let ship = course.harbour.ships[0]
    try ship.run("UPDATE tasks SET title = 'salt' WHERE id = 't1'")
    let journal = try ship.device.journal()
    try course.rebuild(0)
    #expect(try ship.device.journal() == journal)
    try ship.run("UPDATE tasks SET note = 'salt' WHERE id = 't2'")
    #expect(try ship.device.journal().count == journal.count + 1)
    try course.expectEqual("rebuilt")
    #expect(try ship.device.connection.read { try Task.found("salt", $0) } == ["t1", "t2"])
  }

  @Test func `Rows are not found while their scope is revoked, and are found afterwards`() throws {
    let course = try SearchedCourse(seed: 0)
    let (harbour, ship) = (course.harbour, course.harbour.ships[1])
    try harbour.ships[0].run("UPDATE tasks SET title = 'oil' WHERE charterID = 'c2'")
    try harbour.settle()
    let found = try ship.device.connection.read { try Task.found("oil", $0) }
    #expect(!found.isEmpty)
    try harbour.grant(.revoked, to: ship, "c2")
    try ship.pullAll()
    #expect(try ship.device.connection.read { try Task.found("oil", $0) }.isEmpty)
    try harbour.grant(.editor, to: ship, "c2")
    try ship.pullAll()
    #expect(try ship.device.connection.read { try Task.found("oil", $0) } == found)
    try course.expectEqual("granted again")
  }
}

/// Two devices with a text index of their tasks, and random events.
private struct SearchedCourse {
  enum Step: CaseIterable {
    case write, replace, deleteAll, push, losePush, pull, cancel, cancelTransaction, undo, vacuum
    case rebuildIndex, rebuildTable, keepFile, restoreFile, restoreServer, revoke, collect
  }

  let harbour: Harbour
  private(set) var tally: [Step: Int] = [:]
  private var random: SeededRandom
  /// Copies of the devices' files, from which a device may be restored.
  private var files: [Ship?] = [nil, nil]
  private var server: MemoryState
  private var epoch: UInt64 = 1
  private var shipCount = 2

  private static let words = [
    "bread", "brew", "Ёлка", "елка", "чай", "crème", "rye", "salt", "oil", "🙂",
  ]
  private struct Undone: Error {}

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    harbour = try Harbour(granting: ["c1", "c2"])
    try harbour.ships[0].pullAll()
    for charter in ["c1", "c2"] {
      try harbour.ships[0].run("INSERT INTO charters VALUES (\(charter), 'Alma')")
    }
    for number in 1...6 {
      try harbour.ships[0].device.connection.write {
        try Task("t\(number)", in: number.isMultiple(of: 2) ? "c2" : "c1", title: "bread").insert(
          $0)
      }
    }
    try harbour.settle()
    for ship in harbour.ships { try ship.device.connection.write { try $0.create(Task.text) } }
    server = harbour.server
  }

  /// Performs a random event on one of the devices.
  mutating func step() throws {
    let place = random.number(below: 2)
    // Most steps are writes, pushes and pulls.
    let isAny = random.number(below: 3) == 0
    let step = random.pick(isAny ? Step.allCases : [.write, .write, .write, .push, .pull])
    tally[step, default: 0] += 1
    try perform(step, place)
  }

  private mutating func perform(_ step: Step, _ place: Int) throws {
    let ship = harbour.ships[place]
    switch step {
    case .write:
      let statement = statement()
      try Self.tolerate { try ship.run(statement) }
    case .replace:
      let statement = insertion("REPLACE")
      try Self.tolerate { try ship.run(statement) }
    case .deleteAll: try ship.run("DELETE FROM tasks WHERE id > \(id())")
    case .push: try ship.push()
    case .losePush: try ship.push(losingAnswer: true)
    case .pull: try ship.pull(limit: 1 + random.number(below: 10))
    case .cancel:
      let row = RowID(table: "tasks", id: id())
      try Self.tolerate {
        _ = try ship.device.connection.write { try ship.replica.outbox.cancel(row, $0) }
      }
    case .cancelTransaction:
      guard let number = try ship.device.transactions().last else { return }
      try Self.tolerate {
        _ = try ship.device.connection.write {
          try ship.replica.outbox.cancelTransaction(number, $0)
        }
      }
    case .undo: try undo(ship)
    case .vacuum: try ship.device.connection.execute("VACUUM")
    case .rebuildIndex: try ship.device.connection.write { try $0.rebuild(Task.text) }
    case .rebuildTable: try rebuild(place)
    default: try performRarely(step, place)
    }
  }

  private mutating func performRarely(_ step: Step, _ place: Int) throws {
    let ship = harbour.ships[place]
    switch step {
    case .keepFile:
      server = harbour.server
      shipCount += 1
      files[place] = try Ship(
        shipCount, in: harbour, device: try ship.device.copy(), account: ship.account)
    case .restoreFile:
      guard let file = files[place] else { return }
      harbour.replace(place, by: file)
      files[place] = nil
    case .restoreServer:
      epoch += 1
      harbour.server = server
      try harbour.server.beginEpoch(epoch)
      server = harbour.server
    case .revoke:
      try harbour.grant(.revoked, to: ship, "c2")
      try ship.pullAll()
      try harbour.grant(.editor, to: ship, "c2")
    case .collect:
      try harbour.collect("c1")
      server = harbour.server
    default: break
    }
  }

  /// Rebuilds the table of a device in a migration, then installs syncing again.
  mutating func rebuild(_ place: Int) throws {
    let ship = harbour.ships[place]
    let connection = ship.device.connection
    let known = try connection.read { reader throws in
      try SQL("SELECT count(*) FROM sqlite_schema WHERE name = '_migrations'").first(
        reader, as: Int.self) == 1
        ? SQL("SELECT name FROM _migrations ORDER BY position").all(reader, as: String.self) : []
    }
    let name = "rebuild\(known.count)"
    try connection.migrate(
      Migrations(
        known.map { Migration($0) { _ in } } + [
          Migration(name) { try $0.rebuild("tasks", as: Task.creation.text) }
        ]))
    try connection.write { [clock = harbour.clock] in
      try ship.replica.outbox.install($0, device: TestDevice.id, now: { clock.now })
    }
  }

  /// Changes rows in a write that is rolled back partly or as a whole.
  private mutating func undo(_ ship: Ship) throws {
    let (first, second, isWhole) = (statement(), statement(), random.number(below: 2) == 0)
    do {
      try ship.device.connection.write { writer throws in
        try first.run(writer)
        try? writer.savepoint { writer throws in
          try second.run(writer)
          _ = try Task.found("bread", writer)
          throw Undone()
        }
        if isWhole { throw Undone() }
      }
    } catch is Undone {
    } catch is DatabaseError {}
  }

  /// Runs a closure that may fail because of a constraint or a dependent change.
  private static func tolerate(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch is DatabaseError {
    } catch let error as ReplicaError where error.code == .dependency {}
  }

  // MARK: - Random rows

  private mutating func id() -> String { "t\(random.number(below: 40))" }

  private mutating func text() -> String {
    (0..<random.number(below: 4)).map { _ in random.pick(Self.words) }.joined(separator: " ")
  }

  private mutating func insertion(_ verb: String) -> SQL {
    """
    \(SQL(raw: verb)) INTO tasks (id, charterID, title, note, votes)
    VALUES (\(id()), \(random.pick(["c1", "c2"])), \(text()), \(text()), 0)
    """
  }

  private mutating func statement() -> SQL {
    switch random.number(below: 8) {
    case 0, 1, 2: insertion("INSERT OR IGNORE")
    case 3: "UPDATE tasks SET title = \(text()) WHERE id = \(id())"
    case 4: "UPDATE tasks SET note = NULL, votes = votes + 1 WHERE id > \(id())"
    case 5: "UPDATE tasks SET title = title || ' ' || \(text()) WHERE charterID = 'c1'"
    case 6: "DELETE FROM tasks WHERE id = \(id())"
    default: "UPDATE tasks SET charterID = \(random.pick(["c1", "c2"])) WHERE id = \(id())"
    }
  }

  // MARK: - Comparison

  /// Expects the index of each device to find the same rows as a full scan.
  func expectEqual(_ place: String) throws {
    for (number, ship) in harbour.ships.prefix(2).enumerated() {
      let place = "\(place), ship \(number)"
      try ship.device.connection.read { reader throws in
        let tasks = try Task.all.all(reader)
        for word in Self.words + ["b", "bre", "е"] {
          #expect(try Task.found(word, reader) == Self.scan(tasks, word), "\(word), \(place)")
        }
        let queued = try SQL("SELECT count(*) FROM _text_tasks_queue").first(reader, as: Int.self)
        #expect(queued == 0, "\(place)")
        let foreign = try SQL("SELECT count(*) FROM _outbox WHERE tbl > 1").first(
          reader, as: Int.self)
        #expect(foreign == 0, "\(place)")
      }
      #expect(throws: Never.self, "\(place)") {
        try ship.device.connection.write { try $0.verify(Task.text) }
      }
    }
  }

  private static func scan(_ tasks: [Task], _ word: String) -> [String] {
    func plain(_ word: some StringProtocol) -> String {
      String(word).lowercased().replacing("ё", with: "е").replacing("è", with: "e")
    }
    return tasks.filter { task in
      "\(task.title) \(task.note ?? "")".split(separator: " ").contains {
        plain($0).hasPrefix(plain(word))
      }
    }.map(\.id).sorted()
  }
}

extension Task {
  fileprivate static let text = TextIndex(of: table, \.title, \.note)

  /// Returns the ids of the tasks that match a text.
  fileprivate static func found(_ text: String, _ reader: Reader) throws -> [String] {
    try matching(text, in: Self.text).order { $0.id }.all(reader).map(\.id).sorted()
  }
}
