import Offshore
import OffshoreWire
import TestSupport

/// The work of a user in one transaction.
struct LocalWork {
  let device: SimulatedDevice
  let habits: Habits
  /// The boards that the user may write.
  let boards: [String]
  var random: SeededRandom
  /// The time on the device's clock.
  var time: Int64 = 0
  /// The writes, to be recorded after the commit.
  private(set) var writes: [Ledger.Write] = []
  /// The additions to counters.
  private(set) var counts: [(counter: Ledger.Counter, count: Int64)] = []
  /// The rows that the user deleted explicitly, each with its scope.
  private(set) var deleted: [RowID: String] = [:]
  /// The rows that were deleted or replaced, including the cards of deleted boards.
  private(set) var ended: Set<RowID> = []
  /// The rows that were deleted, each with the number of writes before.
  private(set) var gone: [RowID: Int] = [:]
  /// The removed texts, each with the number of writes before.
  private(set) var cleared: [Ledger.Cell: Int] = [:]
  /// The letters and notices that were written though only others may write them, with their boards.
  var forged: [String: String] = [:]
  /// Whether the transaction ends with such a row changed, and not deleted with its board.
  private(set) var isForged = false
  /// Descriptions of the actions, for the trace.
  private(set) var words: [String] = []

  init(_ device: SimulatedDevice, _ habits: Habits, boards: [String], random: SeededRandom) {
    self.device = device
    self.habits = habits
    self.boards = boards
    self.random = random
  }

  /// Performs a random number of actions.
  mutating func run(_ writer: Writer) throws {
    for _ in 0..<random.number(in: 1...habits.thingsAtOnce) {
      let thing = random.pick(habits.things) ?? .changeCard
      try run(thing, writer)
    }
    isForged = try forged.values.contains { board in
      try SQL("SELECT count(*) FROM boards WHERE id = \(board)").first(writer, as: Int.self) == 1
    }
  }

  private mutating func run(_ thing: Habits.Thing, _ writer: Writer) throws {
    switch thing {
    case .makeBoard: try makeBoard(writer)
    case .changeBoard: try changeBoard(writer)
    case .deleteBoard: try delete("boards", writer)
    case .makeCard: try makeCard(writer)
    case .makeToken: try makeCard(isToken: true, writer)
    case .changeCard: try changeCard(writer)
    case .changeMany: try changeMany(writer)
    case .moveCard: try moveCard(writer)
    case .deleteCard: try delete("cards", writer)
    case .replaceCard: try replaceCard(writer)
    case .makeNote: try makeNote(writer)
    case .changeNote: try changeNote(writer)
    case .deleteNote: try delete("notes", writer)
    case .takeSeat: try takeSeat(writer)
    case .deleteSeat: try delete("seats", writer)
    case .makeTies: try makeTies(writer)
    case .deleteTies: try deleteTies(writer)
    case .changeMemo: try changeMemo(writer)
    case .deleteMemo: try delete("memos", writer, where: isOwn)
    case .changePick: try changePick(writer)
    case .deletePick: try delete("picks", writer, where: isOwn)
    case .makeBan: try makeBan(writer)
    case .deleteBan: try delete("bans", writer, where: isOwn)
    case .makeLetter: try makeLetter(writer)
    case .changeLetter: try changeLetter(writer)
    case .deleteLetter: try deleteLetter(writer)
    case .forgeLetter: try forgeLetter(writer)
    case .makeNotice: try makeNotice(writer)
    case .changeNotice: try changeNotice(writer)
    case .deleteNotice: try deleteNotice(writer)
    case .makeMark: try makeMark(writer)
    case .changeMark: try changeMark(writer)
    case .deleteMark: try deleteMark(writer)
    case .makePin: try makePin(writer)
    case .changePin: try changePin(writer)
    case .deletePin: try deletePin(writer)
    case .makeFlag: try makeFlag(writer)
    case .changeFlag: try changeFlag(writer)
    case .deleteFlag: try deleteFlag(writer)
    case .makePhoto: try makePhoto(writer)
    case .changePhoto: try changePhoto(writer)
    case .movePhoto: try movePhoto(writer)
    case .deletePhoto: try deletePhoto(writer)
    case .nothing: try writeNothing(writer)
    }
  }

  // MARK: - Helpers

  /// Draws the id of a row that meets a condition; `nil` if there is none.
  mutating func pick(
    _ table: String, _ writer: Writer, where condition: SQL = "true"
  ) throws -> String? {
    let ids = try SQL(
      "SELECT id FROM \(identifier: table) WHERE \(condition) ORDER BY id"
    ).all(writer, as: String.self)
    return ids.isEmpty ? nil : random.pick(ids)
  }

  /// Returns a new text, and records it as a write of a column.
  mutating func text(_ table: String, _ id: String, _ column: String, padding: Int = 0) -> String {
    let text = device.text(padding: padding)
    let row = RowID(table: table, id: id)
    writes.append(Ledger.Write(row: row, column: column, text: Array(text.utf8)))
    return text
  }

  /// Records that the text of a column is removed.
  mutating func clear(_ table: String, _ id: String, _ column: String) {
    cleared[Ledger.Cell(row: RowID(table: table, id: id), column: column)] = writes.count
  }

  /// Removes the records of writes that are left out.
  mutating func forgetWrites(after count: Int) { writes.removeLast(writes.count - count) }

  /// Records an addition to a counter.
  mutating func count(_ table: String, _ id: String, _ column: String, _ count: Int) {
    let row = RowID(table: table, id: id)
    counts.append((Ledger.Counter(row: row, column: column), Int64(count)))
  }

  /// Records that a row is about to be deleted, with the rows of a deleted board.
  mutating func end(_ table: String, _ id: String, _ writer: Writer) throws {
    ended.insert(RowID(table: table, id: id))
    gone[RowID(table: table, id: id)] = writes.count
    guard table == "boards" else { return }
    let parts = [
      "cards", "notes", "seats", "ties", Letter.name, Notice.name, Mark.name, Pin.name, Flag.name,
      Photo.name,
    ]
    for table in parts where device.version.table(table) != nil {
      let name = device.version.localName(of: table)
      let ids = try SQL("SELECT id FROM \(identifier: name) WHERE boardID = \(id)")
        .all(writer, as: String.self)
      for id in ids { gone[RowID(table: table, id: id)] = writes.count }
      if table == "cards" { ended.formUnion(ids.map { RowID(table: table, id: $0) }) }
    }
  }

  /// Records the rows that are about to be deleted, in tables whose ids are never reused.
  mutating func noteDeleted(_ table: String, _ condition: SQL, _ writer: Writer) throws {
    let scope: SQL
    switch table {
    case "cards", "notes", "ties", Letter.name, Notice.name, Mark.name, Pin.name, Flag.name,
      Photo.name:
      scope = "'board/' || boardID"
    case "memos": scope = "'person/' || ownerID"
    case "picks", "bans": scope = "'desk/' || ownerID"
    default: return
    }
    let name = device.version.localName(of: table)
    let rows = try SQL("SELECT id, \(scope) FROM \(identifier: name) WHERE \(condition)")
      .all(writer, as: String.self, String.self)
    for (id, scope) in rows { deleted[RowID(table: table, id: id)] = scope }
  }

  mutating func say(_ what: String) { words.append(what) }

  mutating func delete(
    _ table: String, _ writer: Writer, where condition: SQL = "true"
  ) throws {
    let isToken: SQL = "substr(id, 1, 1) = \(Card.tokenPrefix)"
    let condition: SQL = table == "cards" ? "NOT \(isToken)" : condition
    let name = device.version.localName(of: table)
    guard let id = try pick(name, writer, where: condition) else { return }
    try end(table, id, writer)
    try noteDeleted(table, "id = \(id)", writer)
    try SQL("DELETE FROM \(identifier: name) WHERE id = \(id)").run(writer)
    say("delete \(table)/\(id)")
  }

  /// Runs statements without an effect on synced columns.
  mutating func writeNothing(_ writer: Writer) throws {
    try SQL("UPDATE cards SET isOpen = 1 - isOpen").run(writer)
    try SQL("UPDATE cards SET title = title").run(writer)
    say("change nothing")
  }
}
