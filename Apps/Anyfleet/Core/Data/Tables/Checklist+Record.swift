import Foundation
public import Offshore

extension Checklist: Record {
  public static let table = Table(
    "checklists",
    { id, title, description, sections, creatorID, createdAt, updatedAt in
      Checklist(
        id: id, title: title, sections: sections, creatorID: creatorID, description: description,
        createdAt: createdAt, updatedAt: updatedAt)
    },
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("description", \.description),
    Column("sections", \.sections, as: .json),
    Column("creatorID", \.creatorID).indexed("idx_checklists_creator"),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))
}
