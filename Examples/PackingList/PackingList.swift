import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync

/// A list of things to pack, shared by its members.
struct PackingList: Record, Identifiable, Equatable {
  let id: UUID
  var title: String
  var note = ""

  static let table = Table(
    "lists", PackingList.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("note", \.note))

  /// The form in which a list is made and edited.
  static let fields: [DraftField<PackingList>] = [
    .line("title", \.title, label: .title, limit: 80, isRequired: true),
    .text("note", \.note, label: .note, rows: 3, limit: 500),
  ]
}

/// A thing to pack.
struct Item: Record, Identifiable, Equatable {
  let id: UUID
  let listID: UUID
  var name: String
  var isPacked = false

  static let table = Table(
    "items", Item.init,
    Column("id", \.id).primaryKey(),
    Column("listID", \.listID).references("lists", onDelete: .cascade),
    Column("name", \.name),
    Column("isPacked", \.isPacked))

  /// The form in which a thing is added.
  static let fields: [DraftField<Item>] = [
    .line("name", \.name, label: .thing, limit: 80, isRequired: true)
  ]
}

/// The file of the app. A list with its items is one scope: its author owns it and can share it.
enum PackingSchema {
  static let kind = "list"

  static let current = StoreSchema(
    migrations: [
      Migration("v1_createLists", .create(PackingList.table), .create(Item.table))
    ],
    sync: try SyncSchema(
      version: 1,
      SyncTable(PackingList.self, scope: .kind(kind, \.id), title: \.title),
      SyncTable(
        Item.self, scope: .kind(kind, \.listID), title: \.name,
        partOf: (PackingList.self, \.listID)),
      claimableKinds: [kind]))
}
