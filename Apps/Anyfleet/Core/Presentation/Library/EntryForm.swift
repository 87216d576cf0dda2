public import Foundation

/// What somebody has entered of a checklist, a guide, or a deck so far.
public protocol EntryForm: Equatable, Sendable {
  associatedtype Entry: LibraryEntry
  associatedtype Field: Hashable & Sendable

  /// What it is called.
  var title: String { get set }

  /// The version that it was filled from, as its ``LibraryEntry/updatedAt``; `nil` where nothing is
  /// stored yet, or not any more.
  var basedOn: Date? { get set }

  /// All that keeps it from being saved, in the order of the fields.
  var problems: [EntryProblem<Field>] { get }

  /// Creates an empty form.
  init()

  /// Creates a form with what is stored.
  init(_ entry: Entry)

  /// What is entered, as it is to be stored.
  func entry(id: UUID, by creatorID: UUID, at now: Date) -> Entry
}
