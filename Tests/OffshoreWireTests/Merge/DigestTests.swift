import TestSupport
import Testing

@testable import OffshoreWire

struct DigestTests {
  private let row = RowID(table: "charters", id: "7")
  private let state = RowState(
    generation: 3, stamp: .at(5), fields: ["name": "A", "note": .null, "items.a": "1"],
    versions: ["name": .at(6)])

  @Test func `The order of added rows does not matter`() {
    var random = SeededRandom(seed: 14)
    var rows = (0..<50).map { number in
      (
        RowID(table: "t", id: "\(number)"),
        RowState(stamp: random.stamp(), fields: ["a": random.value()])
      )
    }
    func digest() -> Digest { rows.reduce(into: Digest()) { $0.add($1.1, of: $1.0) } }
    let first = digest()
    rows.shuffle(using: &random)
    #expect(digest() == first)
    #expect(first != Digest())
  }

  @Test func `Removing a row restores the digest`() {
    var digest = Digest(value: 77)
    digest.add(state, of: row)
    #expect(digest != Digest(value: 77))
    digest.remove(state, of: row)
    #expect(digest == Digest(value: 77))
  }

  @Test func `A digest that follows changes equals the sum of the present rows`() {
    let newer = RowState(stamp: .at(9), fields: ["name": "B"])
    var followed = Digest()
    followed.replace(nil, with: state, of: row)
    followed.replace(state, with: newer, of: row)
    var added = Digest()
    added.add(newer, of: row)
    #expect(followed == added)
    followed.replace(newer, with: nil, of: row)
    #expect(followed == Digest())
  }

  @Test func `A deleted or moved row does not count`() {
    var digest = Digest()
    digest.add(RowState(generation: 2, presence: .deleted, stamp: .at(5)), of: row)
    digest.remove(RowState(generation: 2, presence: .moved, stamp: .at(5)), of: row)
    #expect(digest == Digest())
  }

  @Test func `The hash changes with each part of a row`() {
    let others: [(RowID, RowState)] = [
      (RowID(table: "charter", id: "s7"), state),
      (RowID(table: "charters", id: "8"), state),
      (row, changed { $0.generation = 4 }),
      (row, changed { $0.presence = .deleted }),
      (row, changed { $0.presence = .moved }),
      (row, changed { $0.stamp = .at(7) }),
      (row, changed { $0.stamp = .at(5, 1) }),
      (row, changed { $0.stamp = .at(5, by: 2) }),
      (row, changed { $0.fields["name"] = "B" }),
      (row, changed { $0.fields["name"] = .blob([0x41]) }),
      (row, changed { $0.fields["note"] = nil }),
      (row, changed { $0.fields["items.a"] = .null }),
      (row, changed { $0.fields["nam"] = "eA" }),
      (row, changed { $0.versions["name"] = .at(8) }),
      (row, changed { $0.versions["name"] = nil }),
      (row, changed { $0.versions["note"] = .at(6) }),
    ]
    let hashes = [state.hash(of: row)] + others.map { $1.hash(of: $0) }
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func `A removed key counts by its version alone`() {
    let without = RowState(stamp: .at(5), fields: ["items": "{}"])
    let forgotten = RowState(stamp: .at(5), fields: ["items": "{}", "items.a": .null])
    let kept = RowState(
      stamp: .at(5), fields: ["items": "{}", "items.a": .null], versions: ["items.a": .at(6)])
    #expect(forgotten.hash(of: row) == without.hash(of: row))
    #expect(kept.hash(of: row) != without.hash(of: row))
  }

  @Test func `The hash matches the documented one`() {
    let state = RowState(stamp: .at(5), fields: ["name": "A"])
    // Computed with Python: table and id with their lengths, generation 1, presence 0, the stamp,
    // one field.
    #expect(state.hash(of: row) == 3_718_597_130_087_008_981)
  }

  private func changed(_ body: (inout RowState) -> Void) -> RowState {
    var state = state
    body(&state)
    return state
  }
}
