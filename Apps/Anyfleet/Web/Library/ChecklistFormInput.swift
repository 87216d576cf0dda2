import Anyfleet
import Foundation
import OffshoreHTTP

/// The fields of a checklist's form. Their order tells what belongs to what: items come after the id
/// of their section, and what is entered of an item after its own.
enum ChecklistFormInput {
  /// Reads a form.
  /// - Throws: ``HTTPError`` with 400 where ids are missing, not ids, or there twice, and without a
  ///   version.
  static func state(_ fields: Fields) throws -> ChecklistFormState {
    var form = ChecklistFormState()
    form.title = fields["title"] ?? ""
    form.description = (fields["description"] ?? "").withPlainLineBreaks
    form.basedOn = try EntryVersion.date(fields)
    var known: Set<UUID> = []
    for field in fields.items {
      switch field.name {
      case "section": form.sections.append(section(try id(field.value, &known)))
      case "item":
        let item = ChecklistItem(id: try id(field.value, &known), title: "")
        try lastSection(&form) { $0.items.append(item) }
      case "section-title": try lastSection(&form) { $0.title = field.value }
      case "section-expanded": try lastSection(&form) { $0.isExpandedByDefault = true }
      // Its field has lines, so that long ones show, but a title is one.
      case "item-title":
        let title = field.value.withPlainLineBreaks.replacing("\n", with: " ")
        try lastItem(&form) { $0.title = title }
      case "item-note": try lastItem(&form) { $0.note = field.value.withPlainLineBreaks }
      case "item-critical": try lastItem(&form) { $0.isCritical = true }
      default: continue
      }
    }
    return form
  }

  /// A box that is not ticked sends nothing.
  private static func section(_ id: UUID) -> ChecklistSection {
    ChecklistSection(id: id, title: "", isExpandedByDefault: false)
  }

  private static func id(_ text: String, _ known: inout Set<UUID>) throws -> UUID {
    guard let id = UUID(uuidString: text), known.insert(id).inserted else { throw noForm }
    return id
  }

  private static func lastSection(
    _ form: inout ChecklistFormState, _ change: (inout ChecklistSection) -> Void
  ) throws {
    guard let last = form.sections.indices.last else { throw noForm }
    change(&form.sections[last])
  }

  private static func lastItem(
    _ form: inout ChecklistFormState, _ change: (inout ChecklistItem) -> Void
  ) throws {
    try lastSection(&form) { section in
      if let last = section.items.indices.last { change(&section.items[last]) }
    }
  }

  private static let noForm = HTTPError(
    .badRequest, "The form's sections and items need ids of their own, before what belongs to them."
  )
}

extension String {
  /// The text as it was typed: browsers send each line break as two characters.
  var withPlainLineBreaks: String { replacing("\r\n", with: "\n") }
}
