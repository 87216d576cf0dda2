import TestSupport
import Testing

@testable import OffshoreWire

struct RangeSetTests {
  @Test func `A set has the inserted ranges in order`() {
    let set: RangeSet = [255, 0, 64, 63, 64]
    #expect(set.ranges == [0, 63, 64, 255])
    #expect(set.contains(255))
    #expect(!set.contains(254))
  }

  @Test func `An empty set has no range, and the full set has every one`() {
    #expect(RangeSet().isEmpty)
    #expect(RangeSet().ranges == [])
    #expect(!RangeSet.all.isEmpty)
    #expect(RangeSet.all.ranges.count == 256)
  }

  @Test func `A set is encoded in 32 bytes, with range 0 in the first bit`() throws {
    let set: RangeSet = [0, 9, 255]
    let bytes: [UInt8] = [1, 2] + Array(repeating: 0, count: 29) + [128]
    #expect(set.encoded() == bytes)
    #expect(try RangeSet(decoding: bytes) == set)
  }

  @Test func `Any set is decoded as it was encoded`() throws {
    var random = SeededRandom(seed: 40)
    for _ in 0..<200 {
      let set = random.ranges()
      #expect(try RangeSet(decoding: set.encoded()) == set)
      #expect(RangeSet(set.ranges) == set)
    }
  }
}

struct RangeDigestsTests {
  private func rows(_ count: Int) -> [(row: RowID, state: RowState)] {
    var random = SeededRandom(seed: 41)
    return (0..<count).map { number in
      let state = RowState(stamp: random.stamp(), fields: ["a": random.value()])
      return (RowID(table: "t", id: "\(number)"), state)
    }
  }

  private func digests(_ rows: [(row: RowID, state: RowState)]) -> RangeDigests {
    rows.reduce(into: RangeDigests()) { $0.add($1.state, of: $1.row) }
  }

  @Test func `The range of a row matches the documented one`() {
    // Computed with Python: hashlib.blake2b(b"\x08charters\x017", digest_size=16).digest()[0]
    #expect(RowID(table: "charters", id: "7").range == 72)
  }

  @Test func `Rows are distributed over all ranges`() {
    let ranges = rows(4_000).map(\.row.range)
    #expect(Set(ranges).count == 256)
  }

  @Test func `The range digests add up to the digest`() {
    let rows = rows(500)
    let digest = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    #expect(digests(rows).total == digest)
    #expect(digests(rows).values.filter { $0 != 0 }.count > 200)
  }

  @Test func `A deleted row does not count`() {
    let gone = RowState(generation: 2, presence: .deleted, stamp: .at(5))
    #expect(digests([(Fleet.charter, gone)]) == RangeDigests())
  }

  @Test func `A known hash counts like its row`() {
    let state = RowState(stamp: .at(5), fields: ["name": "A"])
    var digests = RangeDigests()
    digests.add(hash: state.hash(of: Fleet.charter), of: Fleet.charter)
    #expect(digests == self.digests([(Fleet.charter, state)]))
  }

  @Test func `The ranges of differing rows are found`() {
    let rows = rows(500)
    var others = rows
    others[3].state = RowState(stamp: .at(1), fields: ["a": "other"])
    others.removeLast()
    let ranges = digests(rows).ranges(differingFrom: digests(others))
    #expect(ranges == RangeSet([rows[3].row.range, rows[499].row.range]))
    #expect(digests(rows).ranges(differingFrom: digests(rows.reversed())).isEmpty)
  }
}
