import Foundation
public import Offshore

extension PracticeGuide: Record {
  public static let table = Table(
    "practiceGuides",
    PracticeGuide.init(id:title:body:tags:creatorID:createdAt:updatedAt:),
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("body", \.body),
    Column("tags", \.tags, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))
}
