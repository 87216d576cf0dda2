import Testing

@testable import OffshoreWire

/// What each policy makes of two edits that did not know of each other.
struct MergePolicyTests {
  private let fixture: MergeFixture
  private let row = Fleet.charter

  init() throws { fixture = try MergeFixture() }

  /// A field that device 2 wrote at 100, after an edit of device 1.
  private func merged(
    _ field: String, _ current: WireValue, _ incoming: WireValue, at time: Int64 = 50,
    seen: Bool = false, kind: Op.Kind = .patch
  ) throws -> (value: WireValue?, version: Stamp?, conflicts: [Conflict]) {
    let state = RowState(stamp: .at(100, by: 2), fields: [field: current])
    let op = Op(
      kind, row, fields: [field: incoming], base: seen ? [field: .at(100, by: 2)] : [:],
      stamp: .at(time))
    let merged = try fixture.merged(op, into: state)
    return (merged.state.fields[field], merged.state.version(of: field), merged.conflicts)
  }

  @Test func `In server order the edit that arrives later stays`() throws {
    let merged = try merged("price", 1.0, 2.0)
    #expect(merged.value == 2.0)
    #expect(merged.version == .at(100, 1))
    #expect(merged.conflicts.map(\.reason) == [.arrival])
    #expect(merged.conflicts.map(\.losing) == [1.0])
    #expect(try self.merged("price", 1.0, 2.0, seen: true).conflicts.isEmpty)
  }

  @Test(
    arguments: [
      (1, 2, 2), (2, 1, 2), (2, 2, 2), (.null, 1, 1), (1, .null, 1), (.null, .null, .null),
    ] as [(WireValue, WireValue, WireValue)])
  func `The greatest value stays`(current: WireValue, incoming: WireValue, result: WireValue) throws
  {
    for (seen, time) in [(false, 50), (true, 50), (false, 150)] as [(Bool, Int64)] {
      let merged = try merged("deepest", current, incoming, at: time, seen: seen)
      #expect(merged.value == result)
      #expect(merged.conflicts.isEmpty)
    }
  }

  @Test(
    arguments: [
      (1, 2, 1), (2, 1, 1), (2, 2, 2), (.null, 1, 1), (1, .null, 1), (.null, .null, .null),
    ] as [(WireValue, WireValue, WireValue)])
  func `The least value stays`(current: WireValue, incoming: WireValue, result: WireValue) throws {
    #expect(try merged("earliest", current, incoming).value == result)
    #expect(try merged("earliest", current, incoming, at: 150).value == result)
  }

  @Test func `A value that both edits went into is of the later`() throws {
    #expect(try merged("deepest", 1, 2, at: 50).version == .at(100, by: 2))
    #expect(try merged("deepest", 2, 1, at: 150).version == .at(150))
  }

  @Test(
    arguments: [
      (5, 3, 8), (5, -7, -2), (.null, 3, 3), (.integer(.max), 1, .integer(.min)), ("5", 3, 3),
    ] as [(WireValue, WireValue, WireValue)])
  func `Increments add up`(current: WireValue, delta: WireValue, result: WireValue) throws {
    #expect(try merged("miles", current, delta, kind: .increment).value == result)
  }

  @Test func `Insertions that meet add up what they count`() throws {
    #expect(try merged("miles", 5, 3, kind: .put).value == 8)
  }

  @Test(
    arguments: [
      ("draft", "booked", "booked"), ("booked", "draft", "booked"), ("over", "booked", "over"),
      (.null, "draft", "draft"), ("draft", .null, "draft"), ("strange", "draft", "draft"),
      ("strange", "alien", "strange"), ("alien", "strange", "strange"),
    ] as [(WireValue, WireValue, WireValue)])
  func `A state only moves forward`(current: WireValue, incoming: WireValue, result: WireValue)
    throws
  {
    #expect(try merged("state", current, incoming, at: 150, seen: true).value == result)
    #expect(try merged("state", current, incoming).value == result)
  }

  @Test func `Each key and each member has its own last writer`() throws {
    let state = RowState(
      stamp: .at(100, by: 2),
      fields: ["items": "{}", "items.a": "1", "items.b": "1", "tags": "[]", "tags.\"red\"": 1],
      versions: ["items.b": .at(10, by: 2)])
    let op = Op(
      .patch, row,
      fields: ["items.a": "2", "items.b": "2", "items.c": "2", "tags.\"red\"": .null],
      stamp: .at(50))
    let merged = try fixture.merged(op, into: state)
    #expect(merged.changed == ["items.b", "items.c"])
    #expect(merged.conflicts.map(\.field) == ["items.a", "items.b", "tags.\"red\""])
    let items = try #require(Fleet.charters["items"])
    #expect(items.value(of: merged.state.fields) == #"{"a":1,"b":2,"c":2}"#)
    let tags = try #require(Fleet.charters["tags"])
    #expect(tags.value(of: merged.state.fields) == #"["red"]"#)
  }

  @Test func `A member that was removed later is gone, and one that was added later is back`()
    throws
  {
    #expect(try merged("tags.\"red\"", 1, .null, at: 150).value == .null)
    #expect(try merged("tags.\"red\"", .null, 1, at: 150).value == 1)
    #expect(try merged("tags.\"red\"", .null, 1, at: 50).value == .null)
  }

  @Test func `A registered rule makes one value of two`() throws {
    let longer = try merged("log", "abc", "abcde")
    #expect(longer.value == "abcde")
    #expect(longer.version == .at(100, 1))
    #expect(longer.conflicts.map(\.losing) == ["abc"])
    #expect(longer.conflicts.map(\.reason) == [.rule])
    let shorter = try merged("log", "abc", "a", at: 150)
    #expect(shorter.value == "abc")
    #expect(shorter.version == .at(150))
    #expect(shorter.conflicts.map(\.losing) == ["a"])
  }

  @Test func `A rule is not asked about an edit whose maker saw the value`() throws {
    let merged = try merged("log", "abc", "a", seen: true)
    #expect(merged.value == "a")
    #expect(merged.conflicts.isEmpty)
  }

  @Test func `A rule is told what it decides about, and may make a third value`() throws {
    let manifest = try Fleet.manifest()
    let merge = try Merge(
      manifest,
      rules: MergeRules([
        "longest": { WireValue("\($0.field) \($0.currentStamp < $0.incomingStamp)") }
      ])
    )
    let state = RowState(stamp: .at(100, by: 2), fields: ["log": "a"])
    let outcome = merge.apply(Op(.patch, row, fields: ["log": "b"], stamp: .at(150)), to: state)
    guard case .merged(let merged) = outcome else { return #expect(Bool(false), "refused") }
    #expect(merged.state.fields["log"] == "log true")
    #expect(merged.conflicts.isEmpty)
  }

  @Test func `Only what depends on arrival does not converge`() {
    let all: [MergePolicy] = [
      .lastWriter, .serverOrder, .max, .min, .counter, .set, .keyed, .ordered([]), .rule("a"),
    ]
    #expect(all.filter { !$0.isConvergent } == [.serverOrder, .rule("a")])
  }
}
