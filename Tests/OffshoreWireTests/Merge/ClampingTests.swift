import TestSupport
import Testing

@testable import OffshoreWire

/// Ops that a server clamps, with a clock that is behind the device's or was set back.
struct ClampingTests {
  private let fixture: MergeFixture
  private let row = Fleet.charter

  init() throws { fixture = try MergeFixture() }

  private func edit(
    _ name: WireValue, seen: Stamp?, at stamp: Stamp
  ) -> Op {
    Op(
      .patch, row, fields: ["name": name], base: seen.map { ["name": $0] } ?? [:], stamp: stamp)
  }

  /// A row that device 2 wrote at 90.
  private let state = RowState(stamp: .at(90, by: 2), fields: ["name": "Anna's"])

  // MARK: - Clamped stamps

  @Test func `No stamp is after the limit`() {
    let op = edit("a", seen: nil, at: .at(90))
    #expect(op.clamped(to: 50, over: state).stamp == .at(50, 0xFFFF))
    #expect(op.clamped(to: 90, over: state) == op)
  }

  @Test func `A base that is not after the row's version stays, even if it is after the limit`() {
    for seen in [Stamp.at(90, by: 2), .at(80, by: 3)] {
      let op = edit("a", seen: seen, at: .at(95))
      #expect(op.clamped(to: 50, over: state).base == ["name": seen])
    }
  }

  @Test func `A base that the row never had is clamped, even if the row is unknown`() {
    let seen = Stamp.at(9_000)
    let op = edit("a", seen: seen, at: .at(9_001))
    for known in [state, nil] {
      #expect(op.clamped(to: 50, over: known).base == ["name": .at(50, 0xFFFF)])
    }
    let other = Op(.patch, row, fields: ["note": "n"], base: ["note": seen], stamp: .at(9_001))
    #expect(other.clamped(to: 50, over: state).base == ["note": .at(50, 0xFFFF)])
  }

  // MARK: - A clock that was set back

  @Test func `An edit of the current version wins even if the server's clock was set back`() throws
  {
    let op = edit("Ben's", seen: .at(90, by: 2), at: .at(95, by: 3))
    let merged = try fixture.merged(op.clamped(to: 50, over: state), into: state)
    #expect(merged.state.fields["name"] == "Ben's")
    #expect(merged.conflicts.isEmpty)
    #expect(merged.state.version(of: "name") == .at(90, 1, by: 3))
  }

  @Test func `Concurrent edits of an earlier version merge as if the clock had not been set back`()
    throws
  {
    let seen = Stamp.at(90, by: 2)
    let ops = [3, 4].map { edit(WireValue("by \($0)"), seen: seen, at: .at(95, by: $0)) }
    for order in [ops, ops.reversed()] {
      let end = try order.reduce(state) { state, op in
        try fixture.merged(op.clamped(to: 50, over: state), into: state).state
      }
      #expect(end.fields["name"] == "by 4")
    }
  }

  @Test func `A device's edit applies if its base is the device's own edit before clamping`() throws
  {
    let first = edit("first", seen: .at(90, by: 2), at: .at(9_000))
    let taken = try fixture.merged(first.clamped(to: 200, over: state), into: state).state
    #expect(taken.version(of: "name") == .at(200, 0xFFFF))
    let second = edit("second", seen: .at(9_000), at: .at(9_001))
    // NB: The clock was set back in between, so that the limit is before the row's version.
    for limit in [200, 210, 50] as [Int64] {
      let merged = try fixture.merged(second.clamped(to: limit, over: taken), into: taken)
      #expect(merged.state.fields["name"] == "second")
      #expect(merged.conflicts.isEmpty)
      let version = try #require(merged.state.version(of: "name"))
      #expect(version > .at(200, 0xFFFF) && version < .at(211, 1))
    }
  }

  @Test func `A base from the future does not move a version beyond the limit`() throws {
    let op = edit("mine", seen: .at(9_000, by: 4), at: .at(9_000, by: 3))
    let merged = try fixture.merged(op.clamped(to: 100, over: state), into: state)
    #expect(try #require(merged.state.version(of: "name")) <= .at(101, by: 3))
    let late = try fixture.merged(op.clamped(to: 50, over: state), into: state)
    #expect(late.state.fields["name"] == "Anna's")
    #expect(late.conflicts.count == 1)
  }

  // MARK: - Any clock

  @Test(arguments: 0..<40)
  func `Versions never decrease, and an edit of the last one wins, whatever the server's clock`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: 700 + seed)
    var state = state
    for number in 0..<60 {
      let limit = Int64(random.number(below: 200))
      let before = try #require(state.version(of: "name"))
      let seen = random.number(below: 2) == 0 ? before : .at(Int64(random.number(below: 300)))
      let device = UInt64(1 + random.number(below: 4))
      let op = edit(
        WireValue("\(number)"), seen: seen, at: .at(Int64(random.number(below: 300)), by: device))
      state = try fixture.merged(op.clamped(to: limit, over: state), into: state).state
      let after = try #require(state.version(of: "name"))
      #expect(after >= before)
      if seen == before {
        #expect(state.fields["name"] == WireValue("\(number)"))
        #expect(after > before)
      }
    }
  }

  @Test(arguments: 0..<40)
  func `The device and the server merge an edit of the current version alike`(seed: UInt64) throws {
    var random = SeededRandom(seed: 800 + seed)
    let fields: [String: WireValue] = ["name": "new", "price": 2.0, "log": "longer"]
    for _ in 0..<30 {
      let stamps = (0..<4).map { _ in Stamp.at(Int64(random.number(below: 300)), by: 2) }
      let state = RowState(
        stamp: stamps[0], fields: ["name": "old", "price": 1.0, "log": "l"],
        versions: ["name": stamps[1], "price": stamps[2], "log": stamps[3]])
      let op = Op(
        .patch, row, fields: fields,
        base: fields.reduce(into: [:]) { $0[$1.key] = state.version(of: $1.key) },
        stamp: .at(Int64(random.number(below: 300)), by: 3))
      let shown = try fixture.merged(op, into: state)
      let limit = Int64(random.number(below: 300))
      let taken = try fixture.merged(op.clamped(to: limit, over: state), into: state)
      #expect(taken.state.fields == shown.state.fields)
      #expect(taken.conflicts.isEmpty && shown.conflicts.isEmpty)
    }
  }
}
