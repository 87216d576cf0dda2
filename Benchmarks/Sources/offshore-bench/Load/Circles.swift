import Foundation
import Offshore
import OffshoreSync

/// Circles of people whose members read each other's weeks, beside errands that no access rule concerns.
enum Circles {
  struct Circle: Record, Identifiable {
    let id: UUID
    var name: String

    static let table = Table(
      "circles", Circle.init, Column("id", \.id).primaryKey(), Column("name", \.name))
  }

  struct Day: Record, Identifiable {
    let id: UUID
    let ownerID: UUID
    var note: String

    static let table = Table(
      "days", Day.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
      Column("note", \.note))
  }

  struct Sharing: Record, Identifiable {
    let id: UUID
    let ownerID: UUID
    let circleID: UUID
    var shows: String

    static let table = Table(
      "sharings", Sharing.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
      Column("circleID", \.circleID), Column("shows", \.shows))
  }

  struct Block: Record, Identifiable {
    let id: UUID
    let ownerID: UUID
    let blockedID: UUID

    static let table = Table(
      "blocks", Block.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
      Column("blockedID", \.blockedID))
  }

  /// Returns a schema with errands in claimable charters, and the circles with their rule.
  static func schema() throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Errand.self, scope: .kind("charter", \.charterID)),
      SyncTable(Circle.self, scope: .kind("circle", \.id)),
      SyncTable(Day.self, scope: .kind("week", \.ownerID)),
      SyncTable(Sharing.self, scope: .kind("person", \.ownerID)),
      SyncTable(Block.self, scope: .kind("person", \.ownerID)),
      claimableKinds: ["charter", "circle"], personalKinds: ["person", "week"],
      memberLimits: ["circle": 30], membershipLimits: ["circle": 12],
      accessRules: [
        .members(of: "circle", read: "week")
          .choice(\Sharing.circleID, \.shows, ["week"]).block(\Block.blockedID)
      ])
  }
}
