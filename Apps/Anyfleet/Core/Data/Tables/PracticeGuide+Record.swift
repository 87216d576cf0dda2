import Foundation
public import Offshore

extension PracticeGuide: Record {
  public static let table = Table(
    "practiceGuides",
    PracticeGuide.init(id:title:body:tags:creatorID:createdAt:updatedAt:),
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("body", \.body),
    Column("tags", \.tags, as: .tags),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))
}

/// Stores tags as a JSON array.
public enum TagsCodec: ColumnCodec {
  public static let sqlType = "TEXT"
  public static let samples: ([String], [String]) = ([], [""])

  public static func read(_ row: inout RowReader, _ index: Int32) -> [String] {
    row.json(index, sample: samples.0)
  }

  public static func bind(_ value: [String], _ row: inout RowWriter, _ index: Int32) {
    JSONCodec.bind(JSON(value), &row, index)
  }
}

extension CodecKind where Codec == TagsCodec {
  /// Tags as a JSON array.
  public static var tags: Self { Self() }
}
