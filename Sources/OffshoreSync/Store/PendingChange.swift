public import Foundation

/// A change of this device that the server has not acknowledged, with the changes of the parts that were
/// added or removed with it.
public struct PendingChange: Hashable, Identifiable, Sendable {
  /// The kind of a change.
  public enum Action: Hashable, Sendable {
    case added, changed, removed
  }

  /// The weight of the changed row for the user.
  public enum Level: Hashable, Sendable {
    /// The row has a title, and is part of no other row: a list.
    case whole
    /// The row has a title, and is part of another row: an item of a list.
    case part
    /// The row has no title: the progress of a list.
    case detail
  }

  /// A name that stays the same while the change is pending, for example `charters-<key>`.
  public let id: String
  /// The row that was changed.
  public let row: RowName
  /// The weight of the row for the user.
  public let level: Level
  /// The kind of the change.
  public let action: Action
  /// The time of the latest edit, if it is known.
  public let date: Date?
  /// Whether the change is being sent, and can no longer be cancelled.
  public let isBeingSent: Bool
  /// The number of parts that were added or removed with the row.
  public let partCount: Int

  /// Describes a change.
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

/// The oldest pending changes, and the number of all others.
public struct PendingChanges: Hashable, Sendable {
  /// The oldest changes first.
  public let listed: [PendingChange]
  /// The number of changes that are not listed.
  public let moreCount: Int

  /// Lists changes.
  public init(listed: [PendingChange] = [], moreCount: Int = 0) {
    self.listed = listed
    self.moreCount = moreCount
  }
}
