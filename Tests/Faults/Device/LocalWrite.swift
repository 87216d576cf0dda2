import Offshore
import TestSupport

/// One transaction of the user, with randomly drawn changes.
struct LocalWrite {
  private let device: String
  private let writer: Writer
  private var random: SeededRandom
  private(set) var entries: [Ledger.Entry] = []
  private var number: Int64

  init(_ device: String, _ random: SeededRandom, _ writer: Writer) throws {
    self.device = device
    self.random = random
    self.writer = writer
    number = try Ledger.next(writer)
  }

  /// Writes, and records each change in the ledger.
  mutating func run() throws {
    let boards = try SQL("SELECT id FROM boards ORDER BY id").all(writer, as: String.self)
    guard !boards.isEmpty else { return }
    let board = random.pick(boards)
    switch random.number(below: 20) {
    case 0..<3: try insertCard(random.pick(["c", "c", "d", "m"]), board)
    case 3..<7: try editText()
    case 7..<10: try mark()
    case 10..<14: try vote()
    case 14: try deleteCard()
    case 15, 16: try moveCard(board)
    case 17: try tie(board)
    case 18: try untie()
    default:
      try vote()
      try editText()
      try mark()
    }
  }

  /// Creates a board, unless this device has created it before.
  mutating func makeBoard(_ id: String) throws {
    let isMade = try SQL("SELECT count(*) FROM ledger WHERE kind = 'board' AND row = \(id)")
      .first(writer, as: Int.self)
    guard isMade == 0 else { return }
    try SQL("INSERT INTO boards VALUES (\(id), \(id))").run(writer)
    try note("board", id, id)
  }

  // MARK: - Cards

  private mutating func insertCard(_ prefix: String, _ board: String) throws {
    let (id, votes) = ("\(prefix)-\(device).\(number)", random.number(below: 5))
    let text = "\(device).\(number)"
    try SQL("INSERT INTO cards VALUES (\(id), \(board), \(text), \(votes), '{}')").run(writer)
    try note("insert", id, text)
    try note("count", id, "\(votes)")
  }

  private mutating func editText() throws {
    guard let id = try pick("c", "d") else { return }
    let text = "\(device).\(number)"
    try SQL("UPDATE cards SET text = \(text) WHERE id = \(id)").run(writer)
    try note("text", id, text)
  }

  /// Writes to a key that only this device writes.
  private mutating func mark() throws {
    guard let id = try pick("c", "d") else { return }
    try SQL(
      "UPDATE cards SET marks = json_set(marks, \("$." + device), \(number)) WHERE id = \(id)"
    ).run(writer)
    try note("mark", id, "\(number)")
  }

  private mutating func vote() throws {
    guard let id = try pick("c") else { return }
    let more = random.number(below: 5) + 1
    try SQL("UPDATE cards SET votes = votes + \(more) WHERE id = \(id)").run(writer)
    try note("count", id, "\(more)")
  }

  private mutating func deleteCard() throws {
    guard let id = try pick("d") else { return }
    try SQL("DELETE FROM cards WHERE id = \(id)").run(writer)
    try note("delete", id, "-")
  }

  private mutating func moveCard(_ board: String) throws {
    guard let id = try pick("m") else { return }
    try SQL("UPDATE cards SET boardID = \(board) WHERE id = \(id)").run(writer)
    try note("move", id, board)
  }

  // MARK: - Ties

  private mutating func tie(_ board: String) throws {
    let (group, size) = ("g-\(device).\(number)", random.number(below: 3) + 2)
    for part in 0..<size {
      let id = "\(group).\(part)"
      try SQL("INSERT INTO ties VALUES (\(id), \(board), \(group), \(size))").run(writer)
    }
    try note("tie", group, "\(size)")
  }

  private mutating func untie() throws {
    let groups = try SQL("SELECT DISTINCT groupID FROM ties ORDER BY groupID")
      .all(writer, as: String.self)
    guard !groups.isEmpty else { return }
    let group = random.pick(groups)
    try SQL("DELETE FROM ties WHERE groupID = \(group)").run(writer)
    try note("untie", group, "-")
  }

  // MARK: - Parts

  private mutating func pick(_ prefixes: String...) throws -> String? {
    let prefix = random.pick(prefixes)
    let ids = try SQL("SELECT id FROM cards WHERE substr(id, 1, 1) = \(prefix) ORDER BY id")
      .all(writer, as: String.self)
    return ids.isEmpty ? nil : random.pick(ids)
  }

  private mutating func note(_ kind: String, _ row: String, _ value: String) throws {
    let entry = Ledger.Entry(number: number, kind: kind, row: row, value: value)
    try Ledger.note(entry, writer)
    entries.append(entry)
    number += 1
  }
}
