import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import TestSupport

extension LocalWork {
  // MARK: - Notes

  mutating func makeNote(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let id = "n\(device.text().dropFirst())"
    let card =
      random.chance(60) ? try pick("cards", writer, where: "boardID = \(board)") : nil
    let body = text("notes", id, "body")
    try SQL(
      """
      INSERT INTO notes (id, boardID, cardID, body) VALUES (\(id), \(board), \(card), \(body))
      """
    ).run(writer)
    say("make notes/\(id) of \(card ?? "no card") in \(board)")
  }

  mutating func changeNote(_ writer: Writer) throws {
    guard let id = try pick("notes", writer) else { return }
    switch random.number(below: device.version.number == 1 ? 3 : 4) {
    case 0, 1:
      let body = text("notes", id, "body")
      try SQL("UPDATE notes SET body = \(body) WHERE id = \(id)").run(writer)
    case 2:
      let card = try pick(
        "cards", writer, where: "boardID = (SELECT boardID FROM notes WHERE id = \(id))")
      try SQL("UPDATE notes SET cardID = \(card) WHERE id = \(id)").run(writer)
    default:
      let color = text("notes", id, "color")
      try SQL("UPDATE notes SET color = \(color) WHERE id = \(id)").run(writer)
    }
    say("change notes/\(id)")
  }

  // MARK: - Seats

  mutating func takeSeat(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let number = random.number(below: 2)
    let id = Seat.id(board, number)
    let holder = text("seats", id, "holder")
    try SQL(
      """
      INSERT INTO seats VALUES (\(id), \(board), \(number), \(holder))
      ON CONFLICT (id) DO UPDATE SET holder = excluded.holder
      """
    ).run(writer)
    say("take seats/\(id)")
  }

  // MARK: - Ties

  mutating func makeTies(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let group = "g\(device.text().dropFirst())"
    let size = random.number(in: 2...4)
    for number in 0..<size {
      try SQL("INSERT INTO ties VALUES (\("\(group)-\(number)"), \(board), \(group), \(size))")
        .run(writer)
    }
    say("tie \(size) of \(group) in \(board)")
  }

  mutating func deleteTies(_ writer: Writer) throws {
    guard let id = try pick("ties", writer),
      let group = try SQL("SELECT groupID FROM ties WHERE id = \(id)").first(
        writer, as: String.self)
    else { return }
    try noteDeleted("ties", "groupID = \(group)", writer)
    try SQL("DELETE FROM ties WHERE groupID = \(group)").run(writer)
    say("untie \(group)")
  }

  // MARK: - Memos

  mutating func changeMemo(_ writer: Writer) throws {
    let owner = device.account.uuid.uuidString
    guard random.chance(60), let id = try pick("memos", writer) else {
      let id = "m\(device.text().dropFirst())"
      let body = text("memos", id, "body")
      try SQL("INSERT INTO memos VALUES (\(id), \(owner), \(body), 1)").run(writer)
      count("memos", id, "count", 1)
      return say("make memos/\(id)")
    }
    let body = text("memos", id, "body")
    try SQL("UPDATE memos SET body = \(body), count = count + 1 WHERE id = \(id)").run(writer)
    count("memos", id, "count", 1)
    say("change memos/\(id)")
  }

  /// Runs statements without an effect on synced columns.
  mutating func writeNothing(_ writer: Writer) throws {
    try SQL("UPDATE cards SET isOpen = 1 - isOpen").run(writer)
    try SQL("UPDATE cards SET title = title").run(writer)
    say("change nothing")
  }
}
