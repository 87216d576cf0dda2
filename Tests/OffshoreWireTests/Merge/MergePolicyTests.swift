import Testing

@testable import OffshoreWire

/// The results of each policy for two concurrent edits.
struct MergePolicyTests {
  private let fixture: MergeFixture
  private let row = Fleet.charter

  init() throws { fixture = try MergeFixture() }

  /// Merges an edit of device 1 into a field that device 2 wrote at 100.
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

  @Test func `In server order the edit that arrives later wins`() throws {
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
  func `The greatest value wins`(current: WireValue, incoming: WireValue, result: WireValue) throws
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
  func `The least value wins`(current: WireValue, incoming: WireValue, result: WireValue) throws {
    #expect(try merged("earliest", current, incoming).value == result)
    #expect(try merged("earliest", current, incoming, at: 150).value == result)
  }

  @Test func `A merged value of two edits has the later version`() throws {
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

  @Test func `Concurrent insertions add up their counters`() throws {
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

  @Test func `A later removal removes a member, and a later addition restores it`() throws {
    #expect(try merged("tags.\"red\"", 1, .null, at: 150).value == .null)
    #expect(try merged("tags.\"red\"", .null, 1, at: 150).value == 1)
    #expect(try merged("tags.\"red\"", .null, 1, at: 50).value == .null)
  }

  @Test func `A registered rule merges two values into one`() throws {
    let longer = try merged("log", "abc", "abcde")
    #expect(longer.value == "abcde")
    #expect(longer.version == .at(100, 1))
    #expect(longer.conflicts.map(\.losing) == ["abc"])
    #expect(longer.conflicts.map(\.reason) == [.rule])
    let shorter = try merged("log", "abc", "a", at: 150)
    #expect(shorter.value == "abc")
    #expect(shorter.version == .at(100, by: 2))
    #expect(shorter.conflicts.map(\.losing) == ["a"])
  }

  @Test func `A rule is not called for an edit whose device saw the value`() throws {
    let merged = try merged("log", "abc", "a", seen: true)
    #expect(merged.value == "a")
    #expect(merged.conflicts.isEmpty)
  }

  /// Returns a merge whose rule joins the two values.
  private func joining() throws -> Merge {
    let manifest = try Fleet.manifest()
    return try Merge(
      manifest,
      rules: MergeRules([
        "longest": { edit in
          WireValue("\(edit.current.string ?? "")+\(edit.incoming.string ?? "") of \(edit.field)")
        }
      ]))
  }

  private func edit(_ value: WireValue, at time: Int64, by device: UInt64) -> Op {
    Op(.patch, row, fields: ["log": value], stamp: .at(time, by: device))
  }

  @Test func `A rule may return a third value, which no device has written`() throws {
    let merge = try joining()
    let state = RowState(stamp: .at(100, by: 2), fields: ["log": "a"])
    guard case .merged(let merged) = merge.apply(edit("b", at: 50, by: 1), to: state) else {
      Issue.record("The edit is refused.")
      return
    }
    #expect(merged.state.fields["log"] == "a+b of log")
    #expect(merged.state.version(of: "log") == .at(100, 1, by: 0))
    #expect(merged.conflicts.isEmpty)
    // The next edit of each device has not seen the value.
    for device in [1, 2] as [UInt64] {
      let next = merge.apply(edit("c", at: 200, by: device), to: merged.state)
      guard case .merged(let next) = next else { continue }
      #expect(next.state.fields["log"] == "a+b of log+c of log")
    }
  }

  @Test func `A device that lost to a rule has not seen the winning value`() throws {
    let state = RowState(stamp: .at(100, by: 2), fields: ["log": "long"])
    let lost = try fixture.merged(edit("b", at: 150, by: 1), into: state)
    #expect(lost.state == state && !lost.isChanged)
    let again = try fixture.merged(edit("c", at: 160, by: 1), into: lost.state)
    #expect(again.state.fields["log"] == "long")
    #expect(again.conflicts.map(\.losing) == ["c"])
  }

  @Test func `A rule receives the field, both values and both stamps`() throws {
    let manifest = try Fleet.manifest()
    let merge = try Merge(
      manifest,
      rules: MergeRules([
        "longest": { edit in
          #expect(edit.field == "log")
          #expect(edit.current == "a" && edit.currentStamp == .at(100, by: 2))
          #expect(edit.incoming == "b" && edit.incomingStamp == .at(150))
          return edit.current
        }
      ]))
    let state = RowState(stamp: .at(100, by: 2), fields: ["log": "a"])
    let outcome = merge.apply(edit("b", at: 150, by: 1), to: state)
    guard case .merged(let merged) = outcome else {
      Issue.record("The edit is refused.")
      return
    }
    #expect(merged.conflicts.map(\.winning) == ["a"])
  }

  @Test func `Only the policies that depend on the order of arrival do not converge`() {
    let all: [MergePolicy] = [
      .lastWriter, .serverOrder, .max, .min, .counter, .set, .keyed, .ordered([]), .rule("a"),
    ]
    #expect(all.filter { !$0.isConvergent } == [.serverOrder, .rule("a")])
  }
}
