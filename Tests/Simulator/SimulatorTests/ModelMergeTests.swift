import OffshoreWire
import Testing

@testable import OffshoreSimulator

/// Tests of the reference model with plain examples of the design's merge rules.
struct ModelMergeTests {
  private let merge = ModelMerge()

  /// Returns the card after edits, in the order of their arrival.
  private func card(_ edits: ModelEdit...) throws -> ModelRow {
    var row: ModelRow?
    for edit in edits { _ = try merge.apply(edit, &row) }
    return try #require(row)
  }

  private func value(_ column: String, _ edits: ModelEdit...) throws -> WireValue? {
    var row: ModelRow?
    for edit in edits { _ = try merge.apply(edit, &row) }
    return row?.fields[column]?.value
  }

  @Test func `The later of two concurrent edits wins`() throws {
    let start = Samples.edit(.put, ["title": "a"], at: 1)
    let (early, late) = (
      Samples.edit(.patch, ["title": "b"], at: 5, by: 2),
      Samples.edit(.patch, ["title": "c"], at: 9, by: 3)
    )
    #expect(try value("title", start, early, late) == "c")
    #expect(try value("title", start, late, early) == "c")
  }

  @Test func `An edit based on the current value wins, regardless of the clock`() throws {
    let start = Samples.edit(.put, ["title": "a"], at: 100)
    let next = Samples.edit(
      .patch, ["title": "b"], at: 5, by: 2, seen: ["title": Samples.stamp(100)])
    let row = try card(start, next)
    #expect(row.fields["title"]?.value == "b")
    #expect(try #require(row.fields["title"]).version > ModelStamp(Samples.stamp(100)))
  }

  @Test func `An edit of the same device wins, regardless of the clock`() throws {
    let start = Samples.edit(.put, ["title": "a"], at: 100)
    #expect(try value("title", start, Samples.edit(.patch, ["title": "b"], at: 5)) == "b")
  }

  @Test func `In server order the edit that arrives last wins`() throws {
    let start = Samples.edit(.put, ["note": "a"], at: 1)
    let late = Samples.edit(.patch, ["note": "c"], at: 9, by: 3)
    let early = Samples.edit(.patch, ["note": "b"], at: 5, by: 2)
    #expect(try value("note", start, late, early) == "b")
  }

  @Test func `Counters add up, and the greatest and the least number win`() throws {
    let start = Samples.edit(.put, ["votes": 1, "most": 5, "least": .null], at: 1)
    let row = try card(
      start, Samples.edit(.increment, ["votes": 3], at: 5, by: 2),
      Samples.edit(.increment, ["votes": -1], at: 4, by: 3),
      Samples.edit(.patch, ["most": 4, "least": 7], at: 6, by: 2),
      Samples.edit(.patch, ["most": 8, "least": 9], at: 3, by: 3))
    #expect(row.fields["votes"]?.value == 3)
    #expect(row.fields["most"]?.value == 8)
    #expect(row.fields["least"]?.value == 7)
  }

  @Test func `A state only moves forward, and the longer text wins`() throws {
    let start = Samples.edit(.put, ["stage": "delivered", "longest": "abc"], at: 1)
    let row = try card(
      start, Samples.edit(.patch, ["stage": "sent", "longest": "ab"], at: 9, by: 2))
    #expect(row.fields["stage"]?.value == "delivered")
    #expect(row.fields["longest"]?.value == "abc")
  }

  @Test func `A deletion ends the life, and edits of that life have no effect`() throws {
    let row = try card(
      Samples.edit(.put, ["title": "a"], at: 1), Samples.edit(.delete, at: 2, by: 2),
      Samples.edit(.patch, ["title": "b"], at: 9, by: 3))
    #expect(!row.isLiving)
    #expect(row.generation == 2)
    #expect(row.fields.isEmpty)
  }

  @Test func `Two deletions leave the later deletion's time`() throws {
    let start = Samples.edit(.put, ["title": "a"], at: 1)
    let (early, late) = (
      Samples.edit(.delete, at: 3, by: 2), Samples.edit(.delete, at: 7, by: 3)
    )
    #expect(try card(start, early, late) == card(start, late, early))
  }

  @Test func `Only an insertion of the next life restores a row`() throws {
    let (start, end) = (
      Samples.edit(.put, ["title": "a"], at: 1), Samples.edit(.delete, at: 2, by: 2)
    )
    let back = Samples.edit(.put, ["title": "b"], at: 3, by: 3, generation: 3)
    // A tombstone counts as a life of its own, so the next life is the one after it.
    #expect(try card(start, end, back).fields["title"]?.value == "b")
    let late = Samples.edit(.put, ["title": "b"], at: 3, by: 3, generation: 2)
    #expect(try card(start, end, late).isLiving == false)
    var row: ModelRow? = try card(start, end)
    let early = Samples.edit(.put, ["title": "b"], at: 3, by: 3, generation: 4)
    #expect(throws: ModelMerge.Refusal.early) { try merge.apply(early, &row) }
  }

  @Test(arguments: [(1, 2), (2, 8), (3, 8)])
  func `A version of the app changes the policy of a column`(version: Int, rank: Int) throws {
    var merge = ModelMerge()
    merge.version = version
    let pin = RowID(table: Pin.name, id: "q1")
    var row: ModelRow?
    for (time, rank) in [(1, 8), (5, 2)] as [(Int64, Int64)] {
      let kind: Op.Kind = time == 1 ? .put : .patch
      let edit = Samples.edit(kind, ["rank": .integer(rank)], at: time, of: pin)
      _ = try merge.apply(edit, &row)
    }
    #expect(row?.fields["rank"]?.value == .integer(Int64(rank)))
  }

  @Test func `An edit of an unknown row is refused`() {
    var row: ModelRow?
    #expect(throws: ModelMerge.Refusal.gone) {
      try merge.apply(Samples.edit(.patch, ["title": "a"], at: 1), &row)
    }
  }
}
