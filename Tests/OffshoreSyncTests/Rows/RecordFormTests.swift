import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// The conversion of records to the values of messages, and back.
struct RecordFormTests {
  private let schema: SyncSchema
  private let device: TestDevice

  init() throws {
    schema = try Specimen.schema()
    device = try TestDevice(schema, creating: [Specimen.creation])
  }

  private func column(of field: String) throws -> SyncedColumn {
    try #require(schema.manifest["specimens"]?[FieldName(field).column])
  }

  private func received<Row: Record>(
    _ values: String, as type: Row.Type, _ schema: SyncSchema
  ) throws -> Row {
    let json = #"{"etag":"\"x\"","id":"t1","scope":"charter/c1","values":{\#(values)}}"#
    return try RecordForm<Row>(schema).received(RowAnswer(Array(json.utf8))).value
  }

  private func failure<Row: Record>(
    _ values: String, as type: Row.Type, _ schema: SyncSchema
  ) -> ServerClient.Failure? {
    #expect(throws: ServerClient.Failure.self) { try received(values, as: type, schema) }
  }

  // MARK: - Sending

  @Test func `An inserted record has the values that a device sends`() throws {
    let form = try RecordForm<Specimen>(schema)
    for specimen in try Specimen.all() {
      try device.connection.write { try specimen.insert($0) }
      let op = try #require(try device.seal().op)
      let sent = try form.sent(specimen)
      #expect(sent.id == op.row.id && sent.scope.text == "charter/c1")
      var fields: [String: WireValue] = [:]
      for (name, value) in sent.values {
        fields.merge(try column(of: name).fields(of: value)) { $1 }
      }
      #expect(fields == op.fields)
    }
  }

  @Test func `A changed record has the values and increments that a device sends`() throws {
    let (form, all) = (try RecordForm<Specimen>(schema), try Specimen.all())
    for (old, next) in [(all[0], all[1]), (all[1], all[2]), (all[2], all[0])] {
      var new = next
      new.id = old.id
      try device.connection.write { try old.save($0) }
      _ = try device.sealAll()
      try device.connection.write { try old.update(changing: new, $0) }
      let ops = try device.seal().flatMap(\.ops)
      let changes = try form.changes(from: old, to: new).changes
      let patch = try #require(ops.first { $0.kind == .patch })
      let columns = try patch.fields.keys.map { try column(of: $0) }
      #expect(Set(columns.map(\.name)) == Set(changes.values.keys))
      for column in columns where !column.policy.isCompound {
        #expect(changes.values[column.name] == patch.fields[column.name])
      }
      #expect(changes.increments == ops.first { $0.kind == .increment }?.fields)
    }
  }

  @Test func `Other spellings of a set or a map are no change`() throws {
    let form = try RecordForm<Specimen>(schema)
    let old = try Specimen.all()[0]
    var new = old
    (new.tags, new.marks) = (#"["b", "a", "a"]"#, #"{ "x": {"y":[1.50]}}"#)
    let changes = try form.changes(from: old, to: new).changes
    #expect(changes.values == [:] && changes.increments == [:])
    #expect(String(decoding: form.json([:]), as: UTF8.self) == "{}")
  }

  private struct Strict: Record {
    let id: String
    var charterID: String
    var content: String?
    static let table = Table(
      "things", Strict.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
      Column("content", \.content).type("ANY")
    ).strict()
  }

  @Test func `Values are converted by the rules of the table, as on a device`() throws {
    let schema = try SyncSchema(
      version: 1, SyncTable(Strict.self, scope: .kind("charter", \.charterID)))
    let strict = try RecordForm<Strict>(schema)
      .sent(Strict(id: "t1", charterID: "c1", content: "1"))
    #expect(strict.values["content"] == "1")
    let found = try received(#""charterID":"c1","content":"1""#, as: Strict.self, schema)
    #expect(found.content == "1")
  }

  // MARK: - Receiving

  @Test func `Unknown columns are ignored, and missing ones have their defaults`() throws {
    let fleet = try SyncSchema.fleet()
    let task = try received(
      #""charterID":"c1","title":"Sails","votes":2,"colour":{"base64":"AQ=="},"isOpen":0"#,
      as: Task.self, fleet)
    var expected = Task("t1")
    expected.votes = 2
    #expect(task == expected)
  }

  @Test func `A missing value without a default is an error that names the column`() throws {
    let fleet = try SyncSchema.fleet()
    for values in [
      #""charterID":"c1","title":"secret""#, #""charterID":"c1","title":"secret","votes":null"#,
      #""charterID":"c1","title":"secret","votes":"2""#,
    ] {
      let failure = failure(values, as: Task.self, fleet)
      #expect(failure?.code == .malformed)
      #expect(failure?.field == "votes")
      #expect(
        failure?.message.contains("“tasks.votes” that the column can store (integer)") == true)
      #expect(failure?.message.contains("secret") == false)
    }
  }

  @Test(arguments: [#""title":true"#, #""votes":99999999999999999999"#, #""note":{"base64":"?"}"#])
  func `A value that cannot be parsed is an error that names the column`(value: String) throws {
    let failure = try failure(value, as: Task.self, .fleet())
    let name = value.split(separator: "\"").first.map(String.init) ?? ""
    #expect(failure?.code == .malformed && failure?.field == name)
    #expect(failure?.message.contains("“tasks.\(name)”") == true)
  }

  @Test func `A value that does not fit the property is an error that names the column`() throws {
    let form = try RecordForm<Specimen>(schema)
    let sent = try form.sent(try Specimen.all()[0])
    for (name, value) in [
      ("stage", "late"), ("small", 256), ("link", "a b"), ("amount", "many"), ("crew", "{}"),
    ] as [(String, WireValue)] {
      let values = form.json(sent.values.merging([name: value]) { $1 })
      let json =
        Array(#"{"etag":"\"x\"","id":"\#(sent.id)","scope":"charter/c1","values":"#.utf8) + values
        + Array("}".utf8)
      let failure = #expect(throws: ServerClient.Failure.self) {
        try form.received(RowAnswer(json))
      }
      #expect(failure?.code == .malformed)
      #expect(failure?.message.contains("“\(name)”") == true, "\(name)")
    }
  }

  @Test func `A value of a later release that the column cannot store shows the default`() throws {
    let marks = try Release.marked().schema
    let mark = try received(
      #""charterID":"c1","name":"A","depth":2.5,"state":"dim""#, as: FirstMark.self, marks)
    #expect(mark.name == "A" && mark.depth == 3 && mark.state == "lit")
    let nameless = failure(
      #""charterID":"c1","name":null,"depth":1,"state":"lit""#, as: FirstMark.self, marks)
    #expect(nameless?.field == "name" && nameless?.message.contains(".name”") == true)
  }

  // MARK: - Releases

  @Test func `A renamed column has its name in messages, and is found by both`() throws {
    let moored = try Release.moored().schema
    let mooring = Mooring(id: "t1", charterID: "c1", title: "North", hours: 1.5)
    let sent = try RecordForm<Mooring>(moored).sent(mooring)
    #expect(sent.values == ["charterID": "c1", "name": "North", "hours": 1.5])
    for name in ["name", "title"] {
      let found = try received(#""charterID":"c1","\#(name)":"N""#, as: Mooring.self, moored)
      #expect(found.title == "N" && found.hours == nil)
    }
  }

  @Test func `Columns of former releases are sent, and derived from`() throws {
    let timed = try Release.timed().schema
    let form = try RecordForm<TimedBerth>(timed)
    let berth = TimedBerth(id: "t1", charterID: "c1", name: "North", minutes: 90)
    #expect(
      try form.sent(berth).values
        == ["charterID": "c1", "name": "North", "minutes": 90, "hours": 1.5])
    var longer = berth
    longer.minutes = 120
    #expect(
      try form.changes(from: berth, to: longer).changes.values == ["minutes": 120, "hours": 2.0])
    let values = #""charterID":"c1","name":"North","hours":3.0"#
    #expect(try received(values, as: TimedBerth.self, timed).minutes == 180)
    #expect(try received("\(values),\"minutes\":7", as: TimedBerth.self, timed).minutes == 7)
    let oneWay = try RecordForm<TimedBerth>(Release.timed(isTwoWay: false).schema)
    #expect(try oneWay.sent(berth).values["hours"] == nil)
  }

  // MARK: - Tags

  @Test(arguments: ["", "\"", "x", "\"a\"b\"", "\"a b\"", "\"a\n\"", "\"ä\"", "W/\"a\""])
  func `A text that is not a strong tag is no tag`(text: String) {
    #expect(EntityTag(text) == nil)
  }

  @Test func `A tag has the text that it is created from`() {
    #expect(EntityTag("\"\"")?.text == "\"\"" && EntityTag("\"a-1\"")?.text == "\"a-1\"")
  }
}
