import Foundation
import Synchronization
import Testing

@testable import OffshoreFiles

/// Edits that are made in a list together.
struct EditedListTests {
  private func list(_ numbers: [UInt8]) throws -> ElementList<Boat> {
    try ElementList(numbers.map { Boat($0) })
  }

  private func numbers(_ list: ElementList<Boat>) -> [UInt8] { list.map(\.id.uuid.15) }

  @Test(
    arguments: [
      ([2, 4], [1, 2]), ([4, 2], [3, 1]), ([3, 1, 5], [2, 0, 2]),
      ([1, 2, 3, 4, 5], [0, 0, 0, 0, 0]),
    ] as [([UInt8], [Int])])
  func `A removal has the place after the removals before it`(
    _ removed: [UInt8], _ places: [Int]
  ) throws {
    let edits = removed.map { FleetEdit.boat(Boat($0), nil) }
    let edited = EditedList(try list([1, 2, 3, 4, 5]), edits)
    #expect(numbers(edited.list) == [1, 2, 3, 4, 5].filter { !removed.contains($0) })
    let made = zip(removed, places).map { FleetEdit.boat(Boat($0), nil, at: $1) }
    #expect(edited.made.sorted { $0.key < $1.key }.map(\.value) == made)
    // The inverse edits restore the list.
    let restored = EditedList(edited.list, made.reversed().map(\.inverse))
    #expect(numbers(restored.list) == [1, 2, 3, 4, 5])
  }

  @Test func `A refused edit has the stored value, and others are made`() throws {
    let edits: [FleetEdit] = [
      .boat(Boat(1), nil), .boat(Boat(2, "Alma"), nil), .port(nil, Port(9)), .boat(nil, Boat(3)),
      .boat(Boat(4), Boat(5)), .boat(Boat(3), Boat(3)),
    ]
    let edited = EditedList(try list([1, 2, 3, 4]), edits)
    #expect(numbers(edited.list) == [2, 3, 4])
    #expect(edited.made == [0: .boat(Boat(1), nil, at: 0)])
    #expect(
      edited.refused == [
        1: .boat(Boat(2, "Alma"), Boat(2)), 3: .boat(nil, Boat(3)), 4: .boat(Boat(4), Boat(4)),
      ])
  }

  /// Makes an edit by itself.
  private func make(_ edit: FleetEdit, in boats: inout [Boat], _ made: inout [FleetEdit]) throws {
    let values = try #require(Boat.values(of: edit))
    let index = boats.firstIndex { $0.id == values.id }
    guard index.map({ boats[$0] }) == values.before, values.before != values.after else { return }
    switch (index, values.after) {
    case (let index?, let after?):
      boats[index] = after
      made.append(.boat(values.before, after))
    case (let index?, nil):
      boats.remove(at: index)
      made.append(.boat(values.before, nil, at: index))
    case (nil, let after?):
      let place = max(0, min(values.index ?? boats.count, boats.count))
      boats.insert(after, at: place)
      made.append(.boat(nil, after, at: place))
    case (nil, nil): break
    }
  }

  @Test(arguments: 0..<40)
  func `Edits made together lead to the same list as one after the other`(_ seed: Int) throws {
    var random = SeededNumbers(state: UInt64(seed))
    var boats = (0..<UInt8(10)).map { Boat($0) }
    let former = try ElementList(boats)
    let edits = (0..<30).map { _ -> FleetEdit in
      let boat = Boat(UInt8.random(in: 0..<14, using: &random))
      let place = Int.random(in: -2..<16, using: &random)
      return switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: .boat(boat, nil)
      case 2, 3: .boat(nil, boat, at: place)
      default: .boat(boat, Boat(boat.id.uuid.15, "Alma"))
      }
    }
    var made: [FleetEdit] = []
    for edit in edits { try make(edit, in: &boats, &made) }
    let edited = EditedList(former, edits)
    #expect(Array(edited.list) == boats)
    #expect(edited.made.sorted { $0.key < $1.key }.map(\.value) == made)
    #expect(edited.made.count + edited.refused.count == edits.count)
    for boat in boats { #expect(edited.list[id: boat.id] == boat) }
  }

  @Test func `Many removals and their undoing look at each element a few times`() throws {
    let count = 4_000
    var content = GroupContent<BuoyChange>()
    content[NumberedBuoy.self] = try ElementList((0..<count).map { _ in NumberedBuoy() })
    let before = content
    // Neither all elements nor a part of them at an end.
    let removed = before[NumberedBuoy.self].enumerated().filter { $0.offset % 2 == 0 }
    let edits = removed.map { BuoyEdit(values: ElementEdit($0.element, nil)) }
    NumberedBuoy.lookups.store(0, ordering: .relaxed)
    let removal = try #require(try content.perform(.apply(edits)))
    #expect(content[NumberedBuoy.self].count == count / 2)
    try content.perform(.apply(removal.inverseEdits))
    #expect(content[NumberedBuoy.self] == before[NumberedBuoy.self])
    #expect(NumberedBuoy.lookups.load(ordering: .relaxed) < 60 * count)
  }
}

/// Numbers that are the same in each run.
private struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

/// An element that counts how often its id is used.
private struct NumberedBuoy: LoggedElement {
  static let lookups = Atomic(0)
  private var number = UUID()

  var id: UUID {
    Self.lookups.add(1, ordering: .relaxed)
    return number
  }

  static let fileName = "buoys.json"

  static func edit(_ edit: ElementEdit<Self>) -> BuoyEdit { BuoyEdit(values: edit) }
}

private struct BuoyEdit: LoggedEdit {
  let values: ElementEdit<NumberedBuoy>

  static let elementTypes: [any LoggedElement<BuoyEdit>.Type] = [NumberedBuoy.self]

  var typed: any TypedEdit<BuoyEdit> { values }
}

private struct BuoyChange: LoggedChange {
  let id: UUID
  var moment: Date
  var edits: [BuoyEdit]

  static let fileName = "changes.json"
  static let logLimit = 100
}
