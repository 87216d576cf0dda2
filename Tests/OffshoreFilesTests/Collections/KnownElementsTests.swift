import Testing

@testable import OffshoreFiles

/// The elements that the user of a collection knows.
struct KnownElementsTests {
  private func list(_ ids: String) throws -> ElementList<Note> {
    try ElementList(ids.map { Note("\($0)", "\($0)") })
  }

  private func merged(_ known: KnownElements<String>, _ new: String, into stored: String) throws
    -> String
  {
    try known.merging(list(new), into: list(stored)).map(\.id).joined()
  }

  @Test func `Before the first load, nothing is kept`() throws {
    var known = KnownElements<String>()
    #expect(try merged(known, "ab", into: "xy") == "ab")
    known.insert("a")
    known.remove("b")
    known.record(try list("a"), try list("b"))
    #expect(try merged(known, "", into: "abxy") == "")
  }

  @Test func `Unknown elements follow the new ones, in their order`() throws {
    var known = KnownElements<String>()
    known.replace(by: try list("abc"))
    #expect(try merged(known, "cda", into: "zabxcy") == "cdazxy")
    #expect(try merged(known, "", into: "abc") == "")
    #expect(try merged(known, "x", into: "abcx") == "x")
  }

  @Test func `Own additions become known, and own removals unknown`() throws {
    var known = KnownElements<String>()
    known.replace(by: try list("ab"))
    known.record(try list("abz"), try list("bzc"))
    // Another process has added `a` again; `z` was never loaded.
    #expect(try merged(known, "", into: "abcz") == "az")
    known.insert("z")
    known.remove("c")
    #expect(try merged(known, "", into: "abcz") == "ac")
  }

  @Test func `A kept element is the stored one`() throws {
    var known = KnownElements<String>()
    known.replace(by: try list(""))
    var stored = try list("x")
    stored.upsert(Note("x", "theirs"))
    #expect(known.merging(try list("a"), into: stored)[id: "x"] == Note("x", "theirs"))
    #expect(known.merging(try list("x"), into: stored)[id: "x"] == Note("x", "x"))
  }
}
