import Testing

@testable import OffshoreWire

struct SyncedColumnTests {
  private let plain = SyncedColumn("name", .text)
  private let keyed = SyncedColumn("items", .text, policy: .keyed)
  private let tags = SyncedColumn("tags", .text, policy: .set)

  @Test func `A plain column is one field`() {
    #expect(plain.fields(of: "a") == ["name": "a"])
    #expect(plain.value(of: ["name": "a", "other": "b"]) == "a")
    #expect(plain.value(of: ["other": "b"]) == nil)
  }

  @Test func `A keyed column is a shell and a field for each key`() {
    let fields = keyed.fields(of: #"{"a":1,"b":"x"}"#)
    #expect(fields == ["items": "{}", "items.a": "1", "items.b": "\"x\""])
    #expect(keyed.value(of: fields) == #"{"a":1,"b":"x"}"#)
    #expect(keyed.fields(of: .null) == ["items": .null])
    #expect(keyed.value(of: ["items": .null, "items2.a": "1"]) == .null)
  }

  @Test func `A set is a shell and a field for each member`() {
    let fields = tags.fields(of: #"["red","blue"]"#)
    #expect(fields == ["tags": "[]", "tags.\"red\"": 1, "tags.\"blue\"": 1])
    #expect(tags.value(of: fields) == #"["blue","red"]"#)
  }

  @Test func `Keys without a shell make a value too`() {
    #expect(keyed.value(of: ["items.a": "1"]) == #"{"a":1}"#)
    #expect(keyed.value(of: ["items.a": .null]) == "{}")
    #expect(tags.value(of: ["tags.1": .null]) == "[]")
    #expect(keyed.value(of: ["items": .null, "items.a": .null]) == .null)
  }

  @Test func `Changes are the fields that differ, with NULL for removed ones`() {
    #expect(
      keyed.changes(from: #"{"a":1,"b":2,"c":3}"#, to: #"{"a":1,"b":5,"d":4}"#)
        == ["items.b": "5", "items.c": .null, "items.d": "4"])
    #expect(keyed.changes(from: #"{"a":1}"#, to: .null) == ["items": .null, "items.a": .null])
    #expect(keyed.changes(from: #"{"a":1}"#, to: #"{ "a": 1 }"#) == [:])
    #expect(plain.changes(from: "a", to: "a") == [:])
    #expect(plain.changes(from: "a", to: "b") == ["name": "b"])
  }

  @Test func `A row refers to a blob by a file column only`() {
    let (photo, hash) = (SyncedColumn("photo", .text, isFile: true), ContentHash(of: [1]))
    func blob(_ value: WireValue?, of column: SyncedColumn) -> ContentHash? {
      var fields: [String: WireValue] = ["other": WireValue(BlobReference(hash).text)]
      fields["photo"] = value
      return column.referencedBlob(in: RowState(stamp: .at(1), fields: fields))?.hash
    }
    let text = BlobReference(hash).text
    #expect(blob(WireValue(text), of: photo) == hash)
    #expect(blob(WireValue(text), of: SyncedColumn("photo", .text)) == nil)
    let others: [WireValue?] = [
      nil, .null, "https://example.com/a.jpg", .blob(Array(text.utf8)),
      .text(Array(text.utf8) + [0xFF]),
    ]
    for value in others { #expect(blob(value, of: photo) == nil) }
  }

  @Test func `A table lists its file columns`() {
    let columns = [
      SyncedColumn("photo", .text, isFile: true), plain, SyncedColumn("map", .text, isFile: true),
    ]
    let table = SyncedTable("t", scopeKind: "fleet", scopeColumn: "id", columns: columns)
    #expect(table.fileColumns.map(\.name) == ["map", "photo"])
  }

  @Test func `Only sets and keyed maps are compound`() {
    #expect(MergePolicy.set.isCompound && MergePolicy.keyed.isCompound)
    #expect(!MergePolicy.lastWriter.isCompound && !MergePolicy.rule("a").isCompound)
  }
}
