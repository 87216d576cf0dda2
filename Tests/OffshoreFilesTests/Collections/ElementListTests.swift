import OffshoreFiles
import Testing

/// A list whose elements are found by their ids.
struct ElementListTests {
  private func list(_ ids: String) throws -> ElementList<Note> {
    try ElementList(ids.map { Note("\($0)", "\($0)") })
  }

  private func ids(_ list: ElementList<Note>) -> String { list.map(\.id).joined() }

  @Test func `Elements keep their order, and are found by index and id`() throws {
    let list = try list("cab")
    #expect(ids(list) == "cab")
    #expect(list[1] == Note("a", "a"))
    #expect(list[id: "b"] == Note("b", "b"))
    #expect(list[id: "x"] == nil)
    #expect(list.count == 3)
    #expect(ElementList<Note>().isEmpty)
  }

  @Test func `Two elements with one id are refused`() {
    let error = #expect(throws: FileError.self) { try list("aba") }
    #expect(error?.code == .duplicateID)
  }

  @Test func `An upsert replaces in place, or appends`() throws {
    var list = try list("ab")
    list.upsert(Note("a", "new"))
    list.upsert(Note("c"))
    #expect(ids(list) == "abc")
    #expect(list[id: "a"]?.text == "new")
    #expect(list[id: "c"] == Note("c"))
  }

  @Test func `An upsert at an index inserts there, or replaces in place`() throws {
    var list = try list("abc")
    list.upsert(Note("d"), at: 1)
    #expect(ids(list) == "adbc" && list.index(id: "b") == 2)
    list.upsert(Note("c", "new"), at: 0)
    #expect(ids(list) == "adbc" && list[id: "c"]?.text == "new")
    list.upsert(Note("e"), at: .max)
    list.upsert(Note("f"), at: -1)
    #expect(ids(list) == "fadbce" && list.index(id: "e") == 5)
    #expect(list.index(id: "x") == nil)
  }

  @Test func `Removed elements are not found any more, and the others are`() throws {
    var list = try list("abcde")
    #expect(list.remove("b") == Note("b", "b"))
    #expect(list.remove("x") == nil)
    list.remove(["d", "a", "y"])
    #expect(ids(list) == "ce")
    #expect(list[id: "e"] == Note("e", "e"))
    #expect(list[id: "d"] == nil)
    list.remove([])
    list.upsert(Note("b"))
    #expect(ids(list) == "ceb")
  }

  @Test func `Lists with the same elements in the same order are equal`() throws {
    #expect(try list("ab") == list("ab"))
    #expect(try list("ab") != list("ba"))
    var other = try list("a")
    other.upsert(Note("b", "b"))
    #expect(try list("ab") == other)
  }
}
