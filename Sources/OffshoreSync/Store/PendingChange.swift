public import Foundation

/// A change of this device that the server has not confirmed, with the changes of the parts that came or
/// went with it.
public struct PendingChange: Hashable, Identifiable, Sendable {
  /// The kind of change.
  public enum Action: Hashable, Sendable {
    case added, changed, removed
  }

  /// A name that stays the same while the change is pending, for example `charters-<key>`.
  public let id: String
  /// The row that was changed.
  public let row: RowName
  /// The kind of change.
  public let action: Action
  /// The time of the latest edit, if it is known.
  public let date: Date?
  /// Whether the change is being sent, and can no longer be cancelled.
  public let isBeingSent: Bool
  /// The number of parts that came or went with the row.
  public let partCount: Int

  /// Describes a change.
  public init(
    id: String, row: RowName, action: Action, date: Date?, isBeingSent: Bool, partCount: Int
  ) {
    self.id = id
    self.row = row
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
