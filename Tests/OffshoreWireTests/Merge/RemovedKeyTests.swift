import TestSupport
import Testing

@testable import OffshoreWire

/// Removed keys of JSON columns, and their removal from a row.
struct RemovedKeyTests {
  private let state = RowState(
    stamp: .at(5),
    fields: ["a": .null, "items": "{}", "items.x": .null, "items.y": .null, "items.z": "1"],
    versions: ["items.x": .at(9), "items.z": .at(2)])

  @Test func `The oldest removal is that of a key, by its version or the row's`() {
    #expect(state.oldestRemoval == 5)
    #expect(state.withoutRemovedKeys(before: 5)?.oldestRemoval == 9)
    #expect(state.withoutRemovedKeys(before: 9)?.oldestRemoval == nil)
    #expect(RowState(stamp: .at(5), fields: ["a": .null]).oldestRemoval == nil)
  }

  @Test func `Only keys that were removed by a time leave the row`() {
    #expect(state.withoutRemovedKeys(before: 4) == nil)
    let first = RowState(
      stamp: .at(5), fields: ["a": .null, "items": "{}", "items.x": .null, "items.z": "1"],
      versions: ["items.x": .at(9), "items.z": .at(2)])
    #expect(state.withoutRemovedKeys(before: 8) == first)
    let second = RowState(
      stamp: .at(5), fields: ["a": .null, "items": "{}", "items.z": "1"],
      versions: ["items.z": .at(2)])
    #expect(state.withoutRemovedKeys(before: 9) == second)
  }

  @Test func `A row without its removed keys is another for the digest`() throws {
    let row = RowID(table: "bags", id: "a")
    let next = try #require(state.withoutRemovedKeys(before: 9))
    #expect(next.hash(of: row) != state.hash(of: row))
  }
}
