import Foundation
import Offshore
import Testing

@testable import OffshoreSync

/// Ids that are derived from the parts that identify a row.
@Suite(.timeLimit(.minutes(1)))
struct DerivedIDTests {
  @Test func `An id is the same on every device, by another implementation too`() {
    #expect(DerivedID("charter", "7").text == "dvqpu33yl2oeevohejoxwrgz")
    #expect(DerivedID("Žut").text == "j5hug6pmkqhkshgydkisxi5u")
    #expect(DerivedID("ab", "c") != DerivedID("a", "bc"))
    #expect(DerivedID("a", "b") != DerivedID("b", "a"))
    #expect(DerivedID("").text.count == 24)
  }

  @Test func `The function of SQL returns the same, on writing and reading connections`()
    async throws
  {
    let store = try Journey().store
    let id = UUID()
    let expected = DerivedID(id.uuidString, "7", "Žut").text
    let query: SQL = "SELECT derived_id(\(id), 7, 'Žut')"
    #expect(try await store.read { try query.first($0, as: String.self) } == expected)
    #expect(try await store.write { try query.first($0, as: DerivedID.self)?.text } == expected)
    let none: SQL = "SELECT derived_id('a', NULL)"
    #expect(try await store.read { try none.first($0, as: String?.self) } == .some(nil))
    let error = await #expect(throws: DatabaseError.self) {
      try await store.read { try SQL("SELECT derived_id(x'00')").first($0, as: String.self) }
    }
    #expect(error?.message.contains("derived_id takes texts and integers") == true)
  }

  @Test func `An id is a column's value`() async throws {
    let store = try Journey().store
    let id = DerivedID("charter", "7")
    let found = try await store.write { writer in
      try SQL("CREATE TABLE seats (id TEXT PRIMARY KEY NOT NULL)").run(writer)
      try SQL("INSERT INTO seats VALUES (\(id))").run(writer)
      return try SQL("SELECT id FROM seats").first(writer, as: DerivedID.self)
    }
    #expect(found == id)
  }
}
