public import Foundation

/// What the library keeps and people write: a checklist, a guide, or a deck.
public protocol LibraryEntry: Identifiable, Equatable, Sendable where ID == UUID {
  /// Who made it: the session's user.
  var creatorID: UUID { get set }
  var createdAt: Date { get set }
  /// When it was changed last. By whole milliseconds it tells versions apart.
  var updatedAt: Date { get set }
}

extension Checklist: LibraryEntry {}
extension PracticeGuide: LibraryEntry {}
extension FlashcardDeck: LibraryEntry {}

extension LibraryEntry {
  /// This content as the version after another one, whose creator stays.
  ///
  /// It is later by a millisecond at least, so that a clock that stands still hides no change.
  func following(_ version: Self) -> Self {
    var entry = self
    (entry.creatorID, entry.createdAt) = (version.creatorID, version.createdAt)
    let next = version.updatedAt.roundedToMilliseconds.addingTimeInterval(0.001)
    entry.updatedAt = max(updatedAt, next).roundedToMilliseconds
    return entry
  }

  /// Whether this says what a version says, whoever wrote it and whenever.
  func isContent(of version: Self) -> Bool {
    var entry = following(version)
    entry.updatedAt = version.updatedAt
    return entry == version
  }
}
