import Foundation
import OffshoreWire

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
      date: head.date.map { Date(milliseconds: $0) }, isBeingSent: head.isSealed,
      partCount: parts.count)
  }

  private var action: PendingChange.Action {
    switch head.kind {
    case .inserted: .added
    case .updated: .changed
    case .deleted: .removed
    }
  }
}
