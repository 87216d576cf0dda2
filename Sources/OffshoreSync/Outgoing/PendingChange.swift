public import Foundation
import OffshoreWire

/// A change of this device that the server has not acknowledged, or a row of which it lacks only a file. A
/// change includes those of parts that were added or removed with the row.
public struct PendingChange: Hashable, Identifiable, Sendable {
  /// The kind of a change.
  public enum Action: Hashable, Sendable {
    /// The row was inserted.
    case added
    /// Columns of the row were changed.
    case changed
    /// The row was deleted.
    case removed
    /// The server has all changes of the row, and lacks a file to which it refers.
    case sendsFile
  }

  /// The importance of the changed row to the user.
  public enum Level: Hashable, Sendable {
    /// The row has a title and is not part of another row, for example a list.
    case whole
    /// The row has a title and is part of another row, for example an item of a list.
    case part
    /// The table of the row declares no title.
    case detail
  }

  /// The refusal of a change that is sent again.
  public struct Refusal: Hashable, Sendable {
    /// The number of times that the change was refused.
    public let attempts: Int
    /// The last reason.
    public let reason: RefusedChange.Reason
    /// The time from which the change is sent again, or `nil` if it is being sent.
    public let nextTry: Date?

    /// Creates a refusal.
    public init(attempts: Int, reason: RefusedChange.Reason, nextTry: Date?) {
      (self.attempts, self.reason, self.nextTry) = (attempts, reason, nextTry)
    }
  }

  /// A name that stays the same while the change is pending, for example `charters-<key>`.
  public let id: String
  /// The row that was changed.
  public let row: RowName
  /// The importance of the row to the user.
  public let level: Level
  /// The kind of the change.
  public let action: Action
  /// The time of the change, if it is known; see ``OutboxChange/date``.
  public let date: Date?
  /// Whether the change is being sent, and can no longer be cancelled.
  public let isBeingSent: Bool
  /// The last refusal, if the server has refused the change and it is sent again.
  public let refusal: Refusal?
  /// The number of parts that were added or removed with the row.
  public let partCount: Int
  /// The command about a member, or `nil` for a change of a row. ``row`` then names the member, and the
  /// title of the scope as its whole.
  public let member: MemberChange?

  /// Creates a pending change.
  public init(
    id: String, row: RowName, level: Level = .whole, action: Action, date: Date?,
    isBeingSent: Bool, partCount: Int, member: MemberChange? = nil, refusal: Refusal? = nil
  ) {
    (self.member, self.refusal) = (member, refusal)
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
  /// The listed changes, the oldest first: at most 100.
  public let listed: [PendingChange]
  /// The number of changes that are not listed.
  public let moreCount: Int

  /// Creates a list of changes.
  public init(listed: [PendingChange] = [], moreCount: Int = 0) {
    self.listed = listed
    self.moreCount = moreCount
  }
}

/// The pending changes, each with the changes of the parts that were added or removed with its row.
///
/// A new list has items, and the items of a deleted list are deleted too. To the user that is one
/// change.
struct PendingGroups {
  struct Group {
    let head: OutboxChange
    var parts: [OutboxChange] = []
  }

  /// The groups, the oldest first.
  let all: [Group]

  init(_ changes: [OutboxChange], _ names: RowNames) throws {
    let known = Dictionary(changes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var parts: [OutboxChange.ID: [OutboxChange]] = [:]
    var heads: [OutboxChange] = []
    for change in changes {
      if let whole = try Self.whole(of: change, in: known, names) {
        parts[whole, default: []].append(change)
      } else {
        heads.append(change)
      }
    }
    all = heads.map { Group(head: $0, parts: parts[$0.id] ?? []) }
  }

  /// Returns the change of the row that a changed row is part of, if both were inserted or both
  /// deleted.
  private static func whole(
    of change: OutboxChange, in known: [OutboxChange.ID: OutboxChange], _ names: RowNames
  ) throws -> OutboxChange.ID? {
    guard change.kind != .updated, let row = try names.whole(of: change.row, change.former) else {
      return nil
    }
    let id = OutboxChange.ID(row: row, isSealed: change.isSealed)
    return known[id]?.kind == change.kind ? id : nil
  }

  subscript(id: PendingChange.ID) -> Group? { all.first { $0.id == id } }
}

extension PendingGroups.Group {
  var id: PendingChange.ID {
    "\(head.row.table)-\(head.row.id)\(head.isSealed ? "-sealed" : "")"
  }

  var rows: [RowID] { [head.row] + parts.map(\.row) }

  func change(_ names: RowNames) throws -> PendingChange {
    PendingChange(
      id: id, row: try names.name(of: head.row, head.former),
      level: names.level(of: head.row.table), action: action,
      date: head.date.map { Date(milliseconds: $0) },
      isBeingSent: ([head] + parts).contains(where: \.wasSent), partCount: parts.count,
      refusal: ([head] + parts).compactMap(\.refusal).first.map(PendingChange.Refusal.init))
  }

  private var action: PendingChange.Action {
    switch head.kind {
    case .inserted: .added
    case .updated: .changed
    case .deleted: .removed
    }
  }
}

extension PendingChange.Refusal {
  fileprivate init(_ refusal: OutboxChange.Refusal) {
    self.init(
      attempts: refusal.attempts, reason: RefusedChange.Reason(refusal.rejection),
      nextTry: refusal.nextTry.map { Date(milliseconds: $0) })
  }
}
