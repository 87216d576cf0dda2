import OffshoreWire
import Testing

@testable import OffshoreSync

struct CapturedRowTests {
  private func entry(
    _ number: Int64, _ kind: CaptureTriggers.Kind, _ old: [String: WireValue] = [:]
  ) -> JournalEntry {
    JournalEntry(number: number, transaction: number, kind: kind, old: old)
  }

  @Test func `The value before is the oldest one`() {
    let change = CapturedRow(
      [entry(1, .update, ["a": 1]), entry(2, .update, ["a": 2, "b": 5])], before: [],
      current: ["a": 3, "b": 6])
    #expect(change.old == ["a": 1, "b": 5])
    #expect(change.sources == ["a": 1, "b": 2])
    #expect(change.new == ["a": 3, "b": 6])
  }

  @Test func `The value after is the one at the time of the change, not the current one`() {
    let change = CapturedRow(
      [entry(1, .update, ["a": 1])],
      before: [entry(2, .update, ["a": 2]), entry(3, .update, ["a": 3])],
      current: ["a": 4, "b": 0])
    #expect(change.new == ["a": 2, "b": 0])
  }

  @Test func `A row that is deleted later existed`() {
    let change = CapturedRow(
      [entry(1, .insert)], before: [entry(2, .delete, ["a": 2])], current: nil)
    #expect(change.new == ["a": 2])
    #expect(!change.wasThere)
  }

  @Test func `A row that is inserted later did not exist`() {
    let change = CapturedRow(
      [entry(1, .delete, ["a": 1])], before: [entry(2, .insert)], current: ["a": 2])
    #expect(change.new == nil)
    #expect(change.wasThere && change.wasDeleted)
  }

  @Test func `An update that a trigger made before the insertion was recorded belongs to it`() {
    let change = CapturedRow(
      [entry(1, .update, ["a": 1]), entry(2, .insert)], before: [], current: ["a": 2])
    #expect(!change.wasThere)
    #expect(change.old.isEmpty)
  }

  @Test func `A change and its inverse cancel out`() {
    let there = [entry(1, .update, ["a": 1]), entry(2, .update, ["a": 2])]
    #expect(CapturedRow(there, before: [], current: ["a": 1]).isUndone)
    #expect(!CapturedRow(there, before: [], current: ["a": 3]).isUndone)
    #expect(!CapturedRow(there, before: [], current: nil).isUndone)
    #expect(CapturedRow([entry(1, .insert)], before: [], current: nil).isUndone)
  }

  @Test func `A restated value belongs to the life of its row`() {
    let again = entry(2, .restatement, ["a": 1])
    let alone = CapturedRow([again], before: [], current: ["a": 1])
    #expect(alone.restated == ["a"] && alone.isUndone && alone.wasThere)
    #expect(
      CapturedRow([entry(1, .insert), again], before: [], current: ["a": 1]).restated == ["a"])
    #expect(CapturedRow([again, entry(3, .delete)], before: [], current: nil).restated.isEmpty)
  }
}
