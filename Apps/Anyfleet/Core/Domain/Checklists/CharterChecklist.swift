public import Foundation

/// A checklist as a charter runs it: a snapshot that its crew shares and may change, while the
/// library's template stays as it is.
public struct CharterChecklist: Equatable, Hashable, Sendable {
  public let charterID: UUID
  /// Its place among the charter's checklists, the least first.
  public var position: Int
  /// The checklist, under the id that it has in the library.
  public var snapshot: Checklist

  /// Creates a charter's checklist.
  public init(charterID: UUID, position: Int, snapshot: Checklist) {
    self.charterID = charterID
    self.position = position
    self.snapshot = snapshot
  }

  /// The id of the checklist in the library.
  public var checklistID: UUID { snapshot.id }
}
