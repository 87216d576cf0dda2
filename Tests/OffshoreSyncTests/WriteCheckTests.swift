import Foundation
import Offshore
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreSync

/// A device refuses ids that no server accepts, and the writes that its account may not make, as far
/// as it knows. Only owners write boards. Only its author writes a remark, which may refer to another
/// one, and must refer to a board.
struct WriteCheckTests {
  private let device: TestDevice
  private let me = UUID()
  private let other = UUID()

  init() throws {
    device = try TestDevice(
      try Self.schema(), creating: [Board.creation, Remark.creation], isInstalled: false)
    try device.connection.write { [device, me] writer in
      try device.outbox.install(writer, device: TestDevice.id, account: me)
    }
    // The rows of another account, as a pull brings them.
    try device.connection.write { [other] writer in
      try writer.applying {
        try Board(id: "b1", title: "Crew").insert(writer)
        try Remark("n1", of: other).insert(writer)
      }
    }
  }

  private static func schema() throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Board.self, scope: .kind("board", \.id), writers: .owners),
      SyncTable(
        Remark.self, scope: .kind("board", \.boardID), writers: .author(\.authorID),
        .local(\.isRead)), claimableKinds: ["board"])
  }

  private func become(_ role: Role?, in board: String = "b1") throws {
    try device.connection.write { writer in
      var cursor = ScopeCursor(try ScopeID(kind: "board", value: board))
      cursor.role = role
      try cursor.save(writer)
    }
  }

  /// Expects that a write is refused and changes nothing.
  private func expectRefusal(
    as code: ReplicaError.Code = .forbidden, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Writer) throws -> Void
  ) throws {
    let journal = try device.number("SELECT count(*) FROM _outbox")
    let error = #expect(throws: ReplicaError.self, sourceLocation: sourceLocation) {
      try device.connection.write(body)
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(
      try device.number("SELECT count(*) FROM _outbox") == journal, sourceLocation: sourceLocation)
  }

  // MARK: - Ids

  @Test(arguments: ["", "a b", "a\n", "é", "\u{7F}", "a\0b", String(repeating: "x", count: 201)])
  func `A row with an invalid id is not inserted, nor gets one later`(id: String) throws {
    try expectRefusal(as: .invalidID) { try Board(id: id, title: "new").insert($0) }
    try expectRefusal(as: .invalidID) { writer in
      try Board(id: "b2", title: "new").insert(writer)
      try SQL("UPDATE boards SET id = \(id) WHERE id = 'b2'").run(writer)
    }
    #expect(try device.number("SELECT count(*) FROM boards") == 1)
  }

  @Test(arguments: ["!", "~", "list/7", String(repeating: "x", count: 200)])
  func `A row with a valid id is inserted`(id: String) throws {
    try device.connection.write { try Board(id: id, title: "new").insert($0) }
    #expect(try device.number("SELECT count(*) FROM boards") == 2)
  }

  @Test func `Rows from before the table was synced do not prevent the file from opening`() throws {
    let file = try TestDevice(
      try Self.schema(), creating: [Board.creation, Remark.creation], isInstalled: false)
    try file.run("INSERT INTO boards VALUES ('a b', 'old')")
    try file.connection.write { [me] writer in
      try file.outbox.install(writer, device: TestDevice.id, account: me)
    }
    #expect(try file.number("SELECT count(*) FROM _outbox") == 1)
    #expect(throws: ReplicaError.self) { try file.run("INSERT INTO boards VALUES ('c d', 'new')") }
    try file.run("INSERT INTO boards VALUES ('cd', 'new')")
  }

  // MARK: - Owners

  @Test func `An editor changes no row that owners write, by any statement`() throws {
    try become(.editor)
    try expectRefusal { try SQL("UPDATE boards SET title = 'x'").run($0) }
    try expectRefusal { try Board.find("b1").delete($0) }
  }

  @Test(arguments: [.owner, nil] as [Role?])
  func `An owner changes such rows, and so does a member of unknown role`(role: Role?) throws {
    try become(role)
    try device.run("UPDATE boards SET title = 'x'")
    try device.run("INSERT INTO boards VALUES ('b2', 'new')")
    #expect(try device.number("SELECT count(*) FROM _outbox") == 2)
  }

  // MARK: - Authors

  @Test func `An author inserts, changes and deletes own rows`() throws {
    try become(.editor)
    try device.connection.write { [me] in try Remark("n2", of: me).insert($0) }
    try device.run("UPDATE remarks SET title = 'x' WHERE id = 'n2'")
    try device.run("DELETE FROM remarks WHERE id = 'n2'")
  }

  @Test(arguments: [.owner, .editor, nil] as [Role?])
  func `A member writes no rows of another author`(role: Role?) throws {
    try become(role)
    try expectRefusal { try SQL("UPDATE remarks SET title = 'x'").run($0) }
    try expectRefusal { try Remark.find("n1").delete($0) }
    try expectRefusal { [other] in try Remark("n2", of: other).insert($0) }
  }

  @Test func `An author stays`() throws {
    try expectRefusal { [me] in try SQL("UPDATE remarks SET authorID = \(me)").run($0) }
    try device.connection.write { [me] in try Remark("n2", of: me).insert($0) }
    try expectRefusal { [other] in
      try SQL("UPDATE remarks SET authorID = \(other) WHERE id = 'n2'").run($0)
    }
  }

  @Test(arguments: [.viewer, .left, .revoked] as [Role])
  func `An author with a role that does not write is refused`(role: Role) throws {
    try device.connection.write { [me] in try Remark("n2", of: me).insert($0) }
    try become(role)
    try expectRefusal { try SQL("UPDATE remarks SET title = 'x' WHERE id = 'n2'").run($0) }
    try expectRefusal { [me] in try Remark("n3", of: me).insert($0) }
  }

  @Test func `Every member changes the local columns of a row`() throws {
    try device.run("UPDATE remarks SET isRead = 1")
    #expect(try device.number("SELECT sum(isRead) FROM remarks") == 1)
  }

  @Test func `A write that ends as it began is not refused`() throws {
    try device.run(
      "UPDATE remarks SET title = 'x' WHERE id = 'n1'",
      "UPDATE remarks SET title = 'a remark' WHERE id = 'n1'")
  }

  @Test func `One refused row undoes the whole write`() throws {
    try expectRefusal { [me] writer in
      try Remark("n2", of: me).insert(writer)
      try SQL("UPDATE remarks SET title = 'x' WHERE id = 'n1'").run(writer)
    }
    #expect(try device.number("SELECT count(*) FROM remarks") == 1)
  }

  @Test func `Only the rows of the last write are checked`() throws {
    try device.connection.write { [me] in try Remark("n2", of: me).insert($0) }
    try device.run("UPDATE remarks SET title = 'x' WHERE id = 'n2'")
    try become(.viewer)
    try device.run("INSERT INTO boards VALUES ('b2', 'new')")
    #expect(try device.transactions().count == 3)
  }

  @Test func `A change is cancelled after the role has ended`() throws {
    try device.connection.write { [me] in try Remark("n2", of: me).insert($0) }
    try become(.viewer)
    #expect(try device.cancel("remarks", "n2"))
    #expect(try device.number("SELECT count(*) FROM remarks") == 1)
  }

  // MARK: - Consequences

  @Test func `A foreign key deletes the rows of others with what they refer to`() throws {
    try become(.owner)
    try device.run("DELETE FROM boards")
    #expect(try device.number("SELECT count(*) FROM remarks") == 0)
  }

  @Test func `A foreign key makes the references of others NULL`() throws {
    try device.connection.write { [me] in try Remark("n2", of: me).insert($0) }
    try device.connection.write { [other] writer in
      try writer.applying { try Remark("n3", of: other, replyTo: "n2").insert(writer) }
    }
    try device.run("DELETE FROM remarks WHERE id = 'n2'")
    #expect(try device.number("SELECT replyTo IS NULL FROM remarks WHERE id = 'n3'") == 1)
  }

  @Test func `A reference of another is not made NULL by hand`() throws {
    try device.connection.write { [me, other] writer in
      try Remark("n2", of: me).insert(writer)
      try writer.applying { try Remark("n3", of: other, replyTo: "n2").insert(writer) }
    }
    try expectRefusal { try SQL("UPDATE remarks SET replyTo = NULL WHERE id = 'n3'").run($0) }
  }
}

/// A row that owners write.
private struct Board: Record, Identifiable {
  let id: String
  var title: String

  static let table = Table(
    "boards", Board.init, Column("id", \.id).primaryKey(), Column("title", \.title))
  static let creation: SQL =
    "CREATE TABLE boards (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)"
}

/// A row that its author writes.
private struct Remark: Record, Identifiable {
  let id: String
  let boardID: String
  let authorID: UUID
  var title: String
  var replyTo: String?
  var isRead: Bool

  init(
    id: String, boardID: String, authorID: UUID, title: String, replyTo: String?, isRead: Bool
  ) {
    (self.id, self.boardID, self.authorID) = (id, boardID, authorID)
    (self.title, self.replyTo, self.isRead) = (title, replyTo, isRead)
  }

  init(_ id: String, of author: UUID, replyTo: String? = nil) {
    self.init(
      id: id, boardID: "b1", authorID: author, title: "a remark", replyTo: replyTo, isRead: false)
  }

  static let table = Table(
    "remarks", Remark.init(id:boardID:authorID:title:replyTo:isRead:),
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("authorID", \.authorID),
    Column("title", \.title),
    Column("replyTo", \.replyTo).references("remarks", onDelete: .setNull),
    Column("isRead", \.isRead).default(false))
  static let creation: SQL = """
    CREATE TABLE remarks (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      authorID TEXT NOT NULL, title TEXT NOT NULL,
      replyTo TEXT REFERENCES remarks ON DELETE SET NULL, isRead INTEGER NOT NULL DEFAULT 0)
    """
}
