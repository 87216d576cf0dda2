import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// The changes that wait, each with those that came or went with it.
///
/// A new charter has checklists and ticks, and a deleted one takes its own along. To a person that is
/// one change.
struct UnsentGroups {
  struct Group {
    let head: OutboxChange
    var companions: [OutboxChange] = []
  }

  /// The changes in the order in which they were made.
  let all: [Group]

  init(_ changes: [OutboxChange], _ names: ThingNames) throws {
    let known = Dictionary(changes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var companions: [OutboxChange.ID: [OutboxChange]] = [:]
    var heads: [OutboxChange] = []
    for change in changes {
      if let owner = try Self.owner(of: change, in: known, names) {
        companions[owner, default: []].append(change)
      } else {
        heads.append(change)
      }
    }
    all = heads.map { Group(head: $0, companions: companions[$0.id] ?? []) }
  }

  /// The change that a change came or went with.
  private static func owner(
    of change: OutboxChange, in known: [OutboxChange.ID: OutboxChange], _ names: ThingNames
  ) throws -> OutboxChange.ID? {
    guard change.kind != .updated, let row = try names.owner(of: change.row, change.former) else {
      return nil
    }
    let id = OutboxChange.ID(row: row, isSealed: change.isSealed)
    return known[id]?.kind == change.kind ? id : nil
  }

  /// The group of a change as it is named to people.
  func group(_ id: UnsentChange.ID) -> Group? { all.first { $0.id == id } }
}

extension UnsentGroups.Group {
  var id: String {
    "\(head.row.table)-\(head.row.id)\(head.isSealed ? "-sealed" : "")"
  }

  var rows: [RowID] { [head.row] + companions.map(\.row) }

  func change(_ names: ThingNames) throws -> UnsentChange {
    UnsentChange(
      id: id, thing: try names.thing(head.row, head.former), action: action,
      date: head.date.map(Date.init(milliseconds:)), isOnItsWay: head.isSealed,
      companionCount: companions.count)
  }

  private var action: UnsentChange.Action {
    switch head.kind {
    case .inserted: .added
    case .updated: .changed
    case .deleted: .removed
    }
  }
}
