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
    Column("sections", \.sections, as: .sections),
    Column("creatorID", \.creatorID).indexed("idx_checklists_creator"),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))
}

/// Stores the sections of a checklist as a JSON array.
public enum SectionsCodec: ColumnCodec {
  public static let sqlType = "TEXT"
  public static let samples: ([ChecklistSection], [ChecklistSection]) =
    ([], [ChecklistSection(id: UUIDText.samples.0, title: "")])

  public static func read(_ row: inout RowReader, _ index: Int32) -> [ChecklistSection] {
    row.json(index, sample: samples.0)
  }

  public static func bind(_ value: [ChecklistSection], _ row: inout RowWriter, _ index: Int32) {
    JSONCodec.bind(JSON(value), &row, index)
  }
}

extension CodecKind where Codec == SectionsCodec {
  /// Sections as a JSON array.
  public static var sections: Self { Self() }
}
