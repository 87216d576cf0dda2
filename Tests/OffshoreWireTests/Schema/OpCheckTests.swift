import Testing

@testable import OffshoreWire

struct OpCheckTests {
  private let manifest: Manifest
  private let scope: ScopeID

  init() throws {
    manifest = try Fleet.manifest()
    scope = try ScopeID("charter/7")
  }

  /// Returns the rejection of an op, or `nil` if it is accepted.
  private func refusal(
    _ kind: Op.Kind, _ fields: [String: WireValue], of row: RowID = Fleet.charter,
    generation: Int64 = 1, in scope: ScopeID? = nil
  ) -> Rejection? {
    let op = Op(kind, row, generation: generation, fields: fields, stamp: .at(1))
    do {
      try manifest.check(op, in: scope ?? self.scope)
      return nil
    } catch {
      #expect(error.row == row)
      return error
    }
  }

  private let member = RowID(table: "members", id: "m1")
  private let message = RowID(table: "messages", id: "s1")

  @Test func `An op that fits its table is accepted`() {
    #expect(refusal(.put, ["name": "Sea Breeze", "items.1": "true", "tags.\"red\"": 1]) == nil)
    #expect(refusal(.patch, ["note": .null, "price": 2.5, "items.1": .null]) == nil)
    #expect(refusal(.patch, ["anything": .blob([1]), "state": "booked", "tags": "[]"]) == nil)
    #expect(refusal(.increment, ["miles": -3]) == nil)
    #expect(refusal(.delete, [:]) == nil)
    #expect(refusal(.put, ["charterID": "7", "person": "p"], of: member) == nil)
  }

  @Test func `Unknown tables, columns and parts are refused`() {
    #expect(refusal(.delete, [:], of: RowID(table: "none", id: "7"))?.code == .unknownTable)
    #expect(refusal(.patch, ["none": 1])?.code == .unknownColumn)
    #expect(refusal(.patch, ["none.a": 1])?.field == "none.a")
    #expect(refusal(.patch, ["name.a": "1"])?.code == .unknownColumn)
  }

  @Test(
    arguments: [
      ("name", 1), ("name", .null), ("price", 1), ("price", .real(.nan)), ("deepest", 1.0),
      ("secret", "text"), ("anything", .real(.nan)), ("state", "lost"), ("deepest", "1"),
      ("items.1", "nope"), ("items.1", 1), ("items.Ä", "1"), ("items.\"", "1"),
      ("items.\\u0061", "1"), ("items.1", "1 "), ("tags.red", 1), ("tags.\"red\"", 2),
      ("tags.[1]", 1), ("tags.\"r\", 1", 1), ("items", "{\"a\":1}"), ("items", "{ }"),
      ("tags", "[1]"), ("tags", " []"),
    ] as [(String, WireValue)])
  func `A value that does not fit its field is refused`(field: String, value: WireValue) throws {
    let found = try #require(refusal(.patch, [field: value]))
    #expect(found.code == .invalidValue)
    #expect(found.field == field)
  }

  @Test(
    arguments: [
      ("items.", "1"), ("items.\\u00d6l", "{\"a\": [1]}"), ("items.a.b", "null"),
      ("items.\\\"", "1"),
      ("tags.1.5", 1), ("tags.null", 1), ("tags.\"\\u00d6l\"", .null), ("state", .null),
      ("items", "{}"), ("items", "[1]"), ("items", "no JSON"), ("tags", "{}"), ("tags", "[[]]"),
      ("anything", .real(.infinity)), ("note", .text([0xFF])),
    ] as [(String, WireValue)])
  func `A value that fits its field is accepted`(field: String, value: WireValue) {
    #expect(refusal(.patch, [field: value]) == nil)
  }

  @Test func `A rejection contains no value`() throws {
    let found = try #require(refusal(.patch, ["deepest": "secret"]))
    #expect(
      "\(found)"
        == "invalidValue (charters.deepest): The column stores integer, not a text of 6 bytes.")
  }

  @Test func `The refusal of another state names the states`() throws {
    let found = try #require(refusal(.patch, ["state": "adrift"]))
    #expect(found.code == .invalidValue && found.field == "state")
    #expect(found.message == "The state is not one of draft, booked, over.")
  }

  @Test func `Values, keys and ops beyond the limits are refused`() {
    let large = WireValue.text(Array(repeating: 0x61, count: WireLimits.valueBytes + 1))
    #expect(refusal(.patch, ["note": large])?.code == .tooLarge)
    let key = "items." + String(repeating: "a", count: WireLimits.fieldNameBytes)
    #expect(refusal(.patch, [key: "1"])?.code == .tooLarge)
    let many = (0...WireLimits.fieldsPerOp).map { ("items.\($0)", "1" as WireValue) }
    #expect(refusal(.patch, Dictionary(uniqueKeysWithValues: many))?.code == .tooLarge)
    let largest = WireValue.text(Array(repeating: 0x61, count: WireLimits.valueBytes))
    #expect(refusal(.patch, ["note": largest]) == nil)
    let together = Dictionary(
      uniqueKeysWithValues: (0..<5).map { ("items.\($0)", largest) })
    #expect(refusal(.patch, together)?.code == .tooLarge)
  }

  @Test(arguments: ["", "a b", "é", "a\n", String(repeating: "a", count: 201)])
  func `A malformed id is refused`(id: String) {
    #expect(refusal(.delete, [:], of: RowID(table: "members", id: id))?.code == .invalidOp)
  }

  @Test(arguments: [0, -1, .max, .min] as [Int64])
  func `A generation out of range is refused`(generation: Int64) {
    #expect(refusal(.delete, [:], generation: generation)?.code == .invalidOp)
  }

  @Test func `A row belongs to the batch's scope`() throws {
    let person = try ScopeID("person/7")
    let other = try ScopeID("charter/8")
    #expect(refusal(.put, ["name": "a"], in: person)?.code == .wrongScope)
    #expect(refusal(.put, ["name": "a"], in: other)?.code == .wrongScope)
    let fields: [String: WireValue] = ["charterID": "7", "person": "p"]
    #expect(refusal(.put, fields, of: member, in: other)?.code == .wrongScope)
    #expect(refusal(.put, ["person": "p"], of: member)?.code == .invalidOp)
  }

  @Test func `A deletion has no fields`() {
    #expect(refusal(.delete, ["name": "a"])?.code == .invalidOp)
    #expect(refusal(.delete, ["name": .null])?.code == .invalidOp)
  }

  @Test func `The base of a deletion is limited to as many fields as an edit`() throws {
    func deletion(seeing fields: [String]) -> Op {
      let base = Dictionary(uniqueKeysWithValues: fields.map { ($0, Stamp.at(1)) })
      return Op(.delete, Fleet.charter, base: base, stamp: .at(2))
    }
    let fields = (0...WireLimits.fieldsPerOp).map { "items.\($0)" }
    try manifest.check(deletion(seeing: Array(fields.dropLast())), in: scope)
    let long = "items." + String(repeating: "a", count: WireLimits.fieldNameBytes)
    for fields in [fields, [long]] {
      let error = #expect(throws: Rejection.self) {
        try manifest.check(deletion(seeing: fields), in: scope)
      }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test func `Only counters are changed by increments, and only by them`() {
    #expect(refusal(.patch, ["miles": 1])?.code == .invalidOp)
    #expect(refusal(.increment, ["deepest": 1])?.code == .invalidOp)
    #expect(refusal(.increment, [:])?.code == .invalidOp)
    #expect(refusal(.increment, ["miles": .null])?.code == .invalidValue)
    #expect(refusal(.increment, ["miles": 1.0])?.code == .invalidValue)
    #expect(refusal(.put, ["name": "a", "miles": 3]) == nil)
  }

  @Test func `An insertion removes no keys`() {
    #expect(refusal(.put, ["items.1": .null])?.code == .invalidValue)
  }

  @Test func `The columns of the scope and the id cannot be patched`() {
    #expect(refusal(.patch, ["charterID": "8"], of: message)?.field == "charterID")
    #expect(refusal(.patch, ["person": "q"], of: member)?.code == .invalidOp)
    #expect(refusal(.patch, ["role": "skipper"], of: member) == nil)
  }

  @Test func `A move is to another scope of the same kind, and sets the scope column`() throws {
    let there = try ScopeID("charter/8")
    let fields: [String: WireValue] = ["charterID": "8", "body": "moved"]
    #expect(refusal(.move(to: there), fields, of: message) == nil)
    #expect(refusal(.move(to: scope), ["charterID": "7"], of: message)?.code == .wrongScope)
    #expect(refusal(.move(to: try ScopeID("person/8")), fields, of: message)?.code == .wrongScope)
    #expect(refusal(.move(to: there), ["charterID": "9"], of: message)?.code == .wrongScope)
    #expect(refusal(.move(to: there), [:], of: message)?.code == .invalidOp)
    let liked: [String: WireValue] = ["charterID": "8", "likes": 1]
    #expect(refusal(.move(to: there), liked, of: message)?.field == "likes")
  }

  @Test func `A row whose id depends on its scope cannot move`() throws {
    let there = try ScopeID("charter/8")
    #expect(refusal(.move(to: there), ["charterID": "8"], of: member)?.code == .invalidOp)
    #expect(refusal(.move(to: there), [:])?.code == .invalidOp)
  }
}
