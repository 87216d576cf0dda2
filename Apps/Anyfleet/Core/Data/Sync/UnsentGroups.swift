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
      let owner = try names.owner(of: change.row, change.former).map {
        OutboxChange.ID(row: $0, isSealed: change.isSealed)
      }
      if change.kind != .updated, let owner = owner.flatMap({ known[$0] }),
        owner.kind == change.kind
      {
        companions[owner.id, default: []].append(change)
      } else {
        heads.append(change)
      }
    }
    all = heads.map { Group(head: $0, companions: companions[$0.id] ?? []) }
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

extension Date {
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
