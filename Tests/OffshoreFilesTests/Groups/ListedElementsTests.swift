import OffshoreFiles
import Testing

/// Edits of a list that has a part of the elements, such as those on a screen.
struct ListedElementsTests {
  private func named(_ boats: [Boat], after edits: FleetEdit...) -> [String] {
    var boats = boats
    boats.make(edits) { !$0.name.isEmpty }
    return boats.map(\.name)
  }

  @Test func `Listed elements are inserted at their places, changed and removed`() {
    let boats = [Boat(1, "A"), Boat(2, "B")]
    #expect(named(boats, after: .boat(nil, Boat(3, "C"), at: 1)) == ["A", "C", "B"])
    #expect(named(boats, after: .boat(nil, Boat(3, "C"), at: 9)) == ["A", "B", "C"])
    #expect(named(boats, after: .boat(nil, Boat(3, "C"), at: -1)) == ["C", "A", "B"])
    #expect(named(boats, after: .boat(Boat(1, "A"), Boat(1, "D"))) == ["D", "B"])
    #expect(named(boats, after: .boat(Boat(2, "B"), nil)) == ["A"])
  }

  @Test func `An element that is not to be listed leaves the list`() {
    #expect(named([Boat(1, "A")], after: .boat(Boat(1, "A"), Boat(1, ""))) == [])
    #expect(named([], after: .boat(nil, Boat(1, ""))) == [])
  }

  @Test func `An edit that does not find its element, or is of another type, changes nothing`() {
    let port = FleetEdit.port(ElementEdit(nil, Port(9)))
    #expect(
      named([Boat(1, "A")], after: .boat(Boat(1, "X"), nil), .boat(nil, Boat(1, "Y")), port)
        == ["A"])
  }
}
