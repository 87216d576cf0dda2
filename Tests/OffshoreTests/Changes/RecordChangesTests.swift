import Foundation
import Testing

@testable import Offshore

struct RecordChangesTests {
  private let test: TestConnection
  private var connection: Connection { test.connection }

  init() throws { test = try TestConnection(Charter.creation, Checklist.creation) }

  private func charters() throws -> [Charter] {
    try connection.read { try Charter.all.all($0) }
  }

  // MARK: - Insert

  @Test func `An inserted row loads equal`() throws {
    let charter = Charter("Alma", location: nil, day: 0.123, guests: -1)
    try connection.write { try charter.insert($0) }
    #expect(try charters() == [charter])
  }

  @Test func `A second row with the same key is refused, and the error names the constraint`()
    throws
  {
    let charter = Charter("Alma")
    let error = try #require(
      databaseError {
        try connection.write { writer in
          try charter.insert(writer)
          try charter.insert(writer)
        }
      })
    #expect(error.code == .constraint)
    #expect(error.constraint == "charters.id")
    #expect(error.table == "charters")
    #expect(error.column == "id")
    #expect(error.rowKey == [.text(charter.id.uuidString)])
    #expect(error.sql?.hasPrefix("INSERT INTO \"charters\"") == true)
    #expect(try charters().isEmpty)
  }

  @Test(arguments: [
    ("UNIQUE (name, guests)", "charters.name, charters.guests"),
    ("CONSTRAINT few CHECK (guests < 6)", "few"), ("CHECK (guests < 5)", "guests < 5"),
  ]) func `Each kind of constraint is named`(constraint: String, name: String) throws {
    let test = try TestConnection(
      """
      CREATE TABLE charters (
        id TEXT PRIMARY KEY, name TEXT, location TEXT, startDate REAL, guests INTEGER,
        \(SQL(raw: constraint)))
      """)
    let error = databaseError {
      try test.connection.write { writer in
        try Charter("Alma", guests: 6).insert(writer)
        try Charter("Alma", guests: 6).insert(writer)
      }
    }
    #expect(error?.code == .constraint)
    #expect(error?.constraint == name)
  }

  @Test func `A NOT NULL constraint is named by its column`() throws {
    let error = databaseError {
      try connection.write { _ = try $0.run("INSERT INTO charters (id) VALUES ('x')") }
    }
    #expect(error?.constraint == "charters.name")
    #expect(error?.column == "name")
  }

  @Test func `A missing referenced row is a constraint error that names the refused row`() throws {
    let list = Checklist(id: 1, title: "", isDone: false, charterID: UUID())
    let error = databaseError { try connection.write { try list.insert($0) } }
    #expect(error?.code == .constraint)
    #expect(error?.table == "checklists")
    #expect(error?.rowKey == [.integer(1)])
  }

  // MARK: - Bulk

  @Test(arguments: [0, 1, 511, 512, 513, 1500])
  func `Rows are inserted in bulk, across slices, in order`(count: Int) throws {
    let lists = (0..<count).map { Checklist(id: $0, title: "\($0)", isDone: false, charterID: nil) }
    try connection.write { try Checklist.insert(contentsOf: lists, $0) }
    #expect(try connection.read { try Checklist.order { $0.id }.all($0) } == lists)
  }

  @Test(arguments: [0, 3, 511, 512, 700])
  func `The error names the row of a bulk insert that is refused`(index: Int) throws {
    var lists = (0..<800).map { Checklist(id: $0, title: "", isDone: false, charterID: nil) }
    lists[index] = Checklist(id: 10_000, title: "", isDone: false, charterID: nil)
    let taken = Checklist(id: 10_000, title: "first", isDone: false, charterID: nil)
    try connection.write { try taken.insert($0) }
    let error = databaseError {
      try connection.write { try Checklist.insert(contentsOf: lists, $0) }
    }
    #expect(error?.constraint == "checklists.id")
    #expect(error?.rowKey == [.integer(10_000)])
    #expect(try connection.read { try Checklist.all.all($0) } == [taken])
  }

  @Test func `A bulk insert inside a savepoint that fails is undone alone`() throws {
    let list = Checklist(id: 1, title: "", isDone: false, charterID: nil)
    try connection.write { writer in
      try Charter("kept").insert(writer)
      _ = try? writer.savepoint { try Checklist.insert(contentsOf: [list, list], $0) }
    }
    #expect(try charters().count == 1)
    #expect(try connection.read { try Checklist.all.all($0) }.isEmpty)
  }

  @Test func `A value that cannot be stored stops a bulk insert at its row`() throws {
    let rows = [Charter("a"), Charter("b", day: .nan), Charter("c")]
    let error = databaseError { try connection.write { try Charter.insert(contentsOf: rows, $0) } }
    #expect(error?.code == .invalidValue)
    #expect(error?.column == "startDate")
    #expect(error?.rowKey == [.text(rows[1].id.uuidString)])
    #expect(try charters().isEmpty)
  }

  // MARK: - Update

  @Test func `An update writes all columns of its row and of no other`() throws {
    var (first, second) = (Charter("first", location: "x"), Charter("second"))
    try connection.write { try Charter.insert(contentsOf: [first, second], $0) }
    first.name = "changed"
    first.location = nil
    second.name = "changed in memory only"
    try connection.write { try first.update($0) }
    #expect(try connection.read { try Charter.find(first.id).first($0) } == first)
    #expect(try connection.read { try Charter.find(second.id).first($0) }?.name == "second")
  }

  @Test func `An update of a missing row is an error that names it`() throws {
    let charter = Charter("Alma")
    let error = databaseError { try connection.write { try charter.update($0) } }
    #expect(error?.code == .notFound)
    #expect(error?.table == "charters")
    #expect(error?.rowKey == [.text(charter.id.uuidString)])
  }

  @Test func `An update to the same values finds its row`() throws {
    let charter = Charter("Alma")
    try connection.write { writer in
      try charter.insert(writer)
      try charter.update(writer)
    }
  }

  @Test func `An update of changes writes only the columns that differ`() throws {
    let old = Charter("Alma", location: "Biograd", guests: 2)
    try connection.write { try old.insert($0) }
    try connection.execute("UPDATE charters SET location = 'set by another'")
    var columns: Set<String>?
    connection.afterCommit = { columns = $0.tables["charters"]?.columns }
    var new = old
    new.name = "Bura"
    new.guests = 3
    try connection.write { [new] in try old.update(changing: new, $0) }
    #expect(columns == ["name", "guests"])
    #expect(try charters().first?.location == "set by another")
    #expect(try charters().first?.name == "Bura")
  }

  @Test func `An update without a change writes nothing`() throws {
    let charter = Charter("Alma")
    var commits = 0
    connection.afterCommit = { _ in commits += 1 }
    // The row need not even exist.
    try connection.write { try charter.update(changing: charter, $0) }
    #expect(commits == 0)
  }

  @Test func `An update of changes to nil stores NULL`() throws {
    let old = Charter("Alma", location: "Biograd")
    var new = old
    new.location = nil
    try connection.write { [new] writer in
      try old.insert(writer)
      try old.update(changing: new, writer)
    }
    #expect(try connection.number("SELECT location IS NULL FROM charters") == 1)
  }

  @Test func `An update of changes of a missing row is an error`() throws {
    let old = Charter("Alma")
    var new = old
    new.name = "Bura"
    let error = databaseError {
      try connection.write { [new] in try old.update(changing: new, $0) }
    }
    #expect(error?.code == .notFound)
  }

  @Test func `A key that differs is changed like any other column`() throws {
    let old = Checklist(id: 1, title: "a", isDone: false, charterID: nil)
    let new = Checklist(id: 2, title: "a", isDone: false, charterID: nil)
    try connection.write { writer in
      try old.insert(writer)
      try old.update(changing: new, writer)
    }
    #expect(try connection.read { try Checklist.all.all($0) } == [new])
  }

  @Test func `A change that cannot be stored is refused with its column`() throws {
    let old = Charter("Alma")
    var new = old
    new.startDate = Date(timeIntervalSinceReferenceDate: .nan)
    let error = databaseError {
      try connection.write { [new] writer in
        try old.insert(writer)
        try old.update(changing: new, writer)
      }
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("startDate") == true)
  }

  // MARK: - Save

  @Test func `Saving inserts a missing row and updates an existing one`() throws {
    var charter = Charter("Alma")
    try connection.write { [charter] in try charter.save($0) }
    charter.name = "Bura"
    try connection.write { [charter] in try charter.save($0) }
    #expect(try charters() == [charter])
  }

  @Test func `Saving preserves the rows that refer to the saved one`() throws {
    let charter = Charter("Alma")
    try connection.write { writer in
      try charter.insert(writer)
      try Checklist(id: 1, title: "", isDone: false, charterID: charter.id).insert(writer)
      try charter.save(writer)
    }
    #expect(try connection.number("SELECT count(*) FROM checklists") == 1)
  }

  @Test func `Saving is refused by constraints other than the key`() throws {
    try connection.execute("CREATE UNIQUE INDEX names ON charters (name)")
    let error = databaseError {
      try connection.write { writer in
        try Charter("Alma").save(writer)
        try Charter("Alma").save(writer)
      }
    }
    #expect(error?.constraint == "charters.name")
  }

  // MARK: - Delete

  @Test func `Deleting returns whether the row existed, and deletes no other row`() throws {
    let (first, second) = (Charter("first"), Charter("second"))
    try connection.write { try Charter.insert(contentsOf: [first, second], $0) }
    let found = try (0..<2).map { _ in try connection.write { try first.delete($0) } }
    #expect(found == [true, false])
    #expect(try charters() == [second])
  }

  @Test func `Deleting a row that others refer to is refused`() throws {
    try connection.execute(
      "CREATE TABLE pages (charterID TEXT NOT NULL REFERENCES charters(id) ON DELETE RESTRICT)")
    let charter = Charter("Alma")
    let error = databaseError {
      try connection.write { writer in
        try charter.insert(writer)
        try writer.run("INSERT INTO pages VALUES (\(charter.id))")
        try charter.delete(writer)
      }
    }
    #expect(error?.code == .constraint)
  }
}
