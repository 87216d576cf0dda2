public import Foundation

/// A change of this device that the server has not acknowledged. It includes the changes of parts
/// that were added or removed with the row.
public struct PendingChange: Hashable, Identifiable, Sendable {
  /// The kind of a change.
  public enum Action: Hashable, Sendable {
    case added, changed, removed
  }

  /// The importance of the changed row to the user.
  public enum Level: Hashable, Sendable {
    /// The row has a title and is not part of another row, for example a list.
    case whole
    /// The row has a title and is part of another row, for example an item of a list.
    case part
    /// The row has no title, for example the progress of a list.
    case detail
  }

  /// A name that stays the same while the change is pending, for example `charters-<key>`.
  public let id: String
  /// The row that was changed.
  public let row: RowName
  /// The importance of the row to the user.
  public let level: Level
  /// The kind of the change.
  public let action: Action
  /// The time of the latest edit, if it is known.
  public let date: Date?
  /// Whether the change is being sent, and can no longer be cancelled.
  public let isBeingSent: Bool
  /// The number of parts that were added or removed with the row.
  public let partCount: Int

  /// Creates a pending change.
  public init(
    id: String, row: RowName, level: Level = .whole, action: Action, date: Date?,
    isBeingSent: Bool, partCount: Int
  ) {
    self.id = id
    self.row = row
    self.level = level
    self.action = action
    self.date = date
    self.isBeingSent = isBeingSent
    self.partCount = partCount
  }
}

/// The oldest pending changes, and the number of the others.
public struct PendingChanges: Hashable, Sendable {
  /// The listed changes, the oldest first.
  public let listed: [PendingChange]
  /// The number of changes that are not listed.
  public let moreCount: Int

  /// Creates a list of changes.
  public init(listed: [PendingChange] = [], moreCount: Int = 0) {
    self.listed = listed
    self.moreCount = moreCount
  }
}
