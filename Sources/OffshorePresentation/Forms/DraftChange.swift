/// The texts typed into a form, and digests of its original texts: all that is needed to merge the form
/// into the entry that is stored by now.
///
/// The digest of a field's original text shows whether the field was edited here, and whether it was
/// edited elsewhere meanwhile.
public struct DraftChange<Entry: Sendable>: Sendable {
  let fields: [DraftField<Entry>]
  let texts: [String: String]
  /// Digests of the form's original texts and of their rows, by path; empty for a new entry.
  let origins: [String: String]
  /// Whether an entry that was deleted meanwhile is inserted again.
  let mayInsert: Bool

  /// Merges the edits into the stored entry.
  ///
  /// A field that was not edited here stays as it is stored. A field that was edited only here gets the
  /// typed text. Of a field with rows, the same holds for each row.
  ///
  /// - Parameters:
  ///   - stored: the entry as it is stored, or `nil` if it is not.
  ///   - blank: an entry whose fields are filled in if none is stored.
  /// - Throws: ``DraftError``: `conflict` if a field was edited here and elsewhere, `deleted` if the entry
  ///   is not stored any more, `invalid` if a text is not valid.
  public func merged(into stored: Entry?, blank: Entry) throws(DraftError) -> Entry {
    guard let stored else {
      guard mayInsert else { throw .deleted }
      return try filled(blank, fields, texts)
    }
    let changed = fields.filter { field in
      let mine = texts[field.name] ?? ""
      return mine != field.text(stored) && Self.digest(mine) != origins[field.name]
    }
    var (merged, conflicts) = (texts, [String]())
    for field in changed where Self.digest(field.text(stored)) != origins[field.name] {
      if let rows = mergedRows(of: field, into: stored) {
        merged[field.name] = rows
      } else {
        conflicts.append(field.name)
      }
    }
    guard conflicts.isEmpty else {
      throw .conflict(fields: conflicts, stored: Self.origins(of: stored, fields))
    }
    return try filled(stored, changed, merged)
  }

  /// Merges the rows of a field that were edited here and elsewhere.
  /// - Returns: `nil` if the same row was edited in both places, or if the order of the rows differs.
  private func mergedRows(of field: DraftField<Entry>, into stored: Entry) -> String? {
    guard case .rows = field.control.kind, !origins.isEmpty else { return nil }
    let mine = [DraftRow](text: texts[field.name] ?? "")
    let theirs = [DraftRow](text: field.text(stored))
    let (myIDs, theirIDs) = (Set(mine.map(\.id)), Set(theirs.map(\.id)))
    guard mine.map(\.id).filter(theirIDs.contains) == theirs.map(\.id).filter(myIDs.contains)
    else { return nil }
    let mineByID = Dictionary(mine.map { ($0.id, $0) }) { first, _ in first }
    let isEdited = { (row: DraftRow) in
      Self.digest([row].text) != origins[Self.origin(of: row, in: field.name)]
    }
    let isKnown = { (row: DraftRow) in origins[Self.origin(of: row, in: field.name)] != nil }
    var merged: [DraftRow] = []
    for row in theirs {
      if let own = mineByID[row.id] {
        guard own == row || !isEdited(own) || !isEdited(row) else { return nil }
        merged.append(isEdited(own) ? own : row)
      } else if !isKnown(row) {
        merged.append(row)
      } else if isEdited(row) {
        return nil
      }
    }
    let added = mine.filter { !theirIDs.contains($0.id) }
    // Rows that were removed elsewhere stay removed, unless they were edited here.
    guard !added.contains(where: { isKnown($0) && isEdited($0) }) else { return nil }
    return (merged + added.filter { !isKnown($0) }).text
  }

  private func filled(
    _ entry: Entry, _ fields: [DraftField<Entry>], _ texts: [String: String]
  ) throws(DraftError) -> Entry {
    var entry = entry
    var problems: [String: LocalizedText] = [:]
    for field in fields {
      problems.merge(field.store(texts[field.name] ?? "", in: &entry)) { $1 }
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    return entry
  }

  /// The digests of the fields of an entry, and of each row of a field.
  static func origins(of entry: Entry, _ fields: [DraftField<Entry>]) -> [String: String] {
    var origins: [String: String] = [:]
    for field in fields {
      let text = field.text(entry)
      origins[field.name] = digest(text)
      guard case .rows = field.control.kind else { continue }
      for row in [DraftRow](text: text) {
        origins[origin(of: row, in: field.name)] = digest([row].text)
      }
    }
    return origins
  }

  private static func origin(of row: DraftRow, in field: String) -> String { "\(field).\(row.id)" }

  /// A digest by FNV-1a (<https://www.rfc-editor.org/rfc/rfc9923>), in 16 hexadecimal digits.
  private static func digest(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The reason why the typed texts are not stored. The draft still has them.
public enum DraftError: Error {
  /// Fields that were edited here were edited elsewhere, too.
  /// - Parameter stored: digests of the texts that are stored, by field.
  case conflict(fields: [String], stored: [String: String])
  /// The entry was deleted meanwhile.
  case deleted
  /// Texts are not valid; a sentence by the path of each field.
  case invalid([String: LocalizedText])
}
