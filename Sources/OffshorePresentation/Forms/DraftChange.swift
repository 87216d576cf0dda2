/// The typed texts of a form with digests of its original texts, to merge the form into the
/// currently stored entry.
///
/// The digest of a field's original text shows whether the field was edited here, and whether it
/// was edited elsewhere meanwhile.
public struct DraftChange<Entry: Sendable>: Sendable {
  let fields: [DraftField<Entry>]
  /// The typed texts. A field without one is not edited.
  let texts: [String: String]
  /// Digests of the form's original texts and of their rows, by path; empty for a new entry.
  let origins: [String: String]
  /// Whether the form is for a new entry.
  let isNew: Bool
  /// Whether an entry that is not stored is inserted.
  let mayInsert: Bool

  /// Merges the edits into the stored entry.
  ///
  /// - A field that was not edited here retains the stored value.
  /// - A field that was edited only here gets the typed text.
  /// - Fields with rows are merged row by row, grouped fields as one value.
  ///
  /// Texts are compared as they would be stored, so submitting a form again changes nothing.
  ///
  /// - Parameters:
  ///   - stored: the stored entry, or `nil` if it is missing.
  ///   - blank: the base of the result if no entry is stored.
  /// - Throws: ``DraftError``: `conflict` if a field was edited here and elsewhere, `deleted` if
  ///   the entry is not stored any more, `exists` if another entry is stored under the id of a new
  ///   one, `invalid` if a text is not valid.
  public func merged(into stored: Entry?, blank: Entry) throws(DraftError) -> Entry {
    guard let stored else {
      guard mayInsert else { throw .deleted }
      return try inserted(blank)
    }
    let theirs = Self.texts(of: stored, fields)
    if isNew, origins.isEmpty {
      // Submitting a form twice stores one entry.
      let entry = try inserted(blank)
      guard Self.texts(of: entry, fields) == theirs else { throw .exists }
      return stored
    }
    let (merged, conflicts) = merge(into: theirs, of: stored)
    guard conflicts.isEmpty else {
      let origins = Self.origins(of: stored, fields)
      throw .conflict(fields: conflicts, texts: merged, stored: origins)
    }
    return try filled(stored, fields.filter { merged[$0.name] != theirs[$0.name] }, merged)
  }

  /// Merges the typed texts into the stored ones.
  /// - Returns: the merged texts, and the fields that were edited here and elsewhere, which have
  ///   the typed text.
  private func merge(
    into theirs: [String: String], of stored: Entry
  ) -> ([String: String], conflicts: [String]) {
    var (merged, conflicts) = (theirs, [String]())
    let mine = storable(in: stored, theirs)
    for group in groups {
      let differing = group.map(\.name).filter { mine[$0] != nil && mine[$0] != theirs[$0] }
      guard differing.contains(where: { isEdited($0, texts) }) else { continue }
      let isConflict = differing.contains { isEdited($0, theirs) }
      if isConflict, group.count == 1,
        let rows = mergedRows(of: group[0], mine[group[0].name], theirs[group[0].name])
      {
        merged[group[0].name] = rows
        continue
      }
      for name in differing { merged[name] = texts[name] }
      if isConflict { conflicts += differing }
    }
    return (merged, conflicts)
  }

  /// Returns the problems of fields that were edited here. Others are not reported, because their
  /// values were stored before.
  func problemsOfEditedFields(_ problems: [String: LocalizedText]) -> [String: LocalizedText] {
    let edited = groups.filter { group in
      group.contains { isEdited($0.name, texts) }
    }
    let names = Set(edited.joined().map(\.name))
    return problems.filter { path, _ in names.contains(String(path.prefix { $0 != "." })) }
  }

  /// Returns whether a text of a field differs from the original one.
  private func isEdited(_ name: String, _ texts: [String: String]) -> Bool {
    texts[name].map { Self.digest($0) != origins[name] } ?? false
  }

  /// The fields in groups. A field without a group is a group of its own.
  private var groups: [[DraftField<Entry>]] {
    var groups: [[DraftField<Entry>]] = []
    for field in fields {
      if let name = field.group, let index = groups.firstIndex(where: { $0[0].group == name }) {
        groups[index].append(field)
      } else {
        groups.append([field])
      }
    }
    return groups
  }

  /// Merges the rows of a field that were edited here and elsewhere.
  /// - Returns: the text of the merged rows, or `nil` for a conflict: the same row was edited in
  ///   both places, or deleted in one and edited in the other, or the order of the rows differs.
  private func mergedRows(
    of field: DraftField<Entry>, _ typed: String?, _ stored: String?
  ) -> String? {
    guard case .rows = field.control.kind, !origins.isEmpty else { return nil }
    let (mine, theirs) = ([DraftRow](text: typed ?? ""), [DraftRow](text: stored ?? ""))
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
    // Rows that were deleted elsewhere stay deleted. If one was edited here, that is a conflict.
    guard !added.contains(where: { isKnown($0) && isEdited($0) }) else { return nil }
    return (merged + added.filter { !isKnown($0) }).text
  }

  // MARK: - Texts in their stored form

  /// Returns the typed texts in their stored form. A text that is not valid stays as typed.
  private func storable(in stored: Entry, _ theirs: [String: String]) -> [String: String] {
    var (mine, filled, base) = (texts, stored, stored)
    let problems = fields.store(texts, in: &filled, checking: false)
    _ = fields.filter { !$0.derivesRowIDs }.store(texts, in: &base, checking: false)
    for field in fields where isEdited(field.name, texts) {
      if field.derivesRowIDs {
        mine[field.name] = withStoredIDs(field, theirs[field.name], base)
      } else if !problems.keys.contains(where: { $0.split(separator: ".")[0] == field.name }) {
        mine[field.name] = field.text(filled)
      }
    }
    return mine
  }

  /// Replaces the ids of typed rows by those of stored rows with the same texts.
  ///
  /// A new row has a random id until it is stored, and an edited row still has the id derived from
  /// its former texts.
  private func withStoredIDs(
    _ field: DraftField<Entry>, _ stored: String?, _ entry: Entry
  ) -> String {
    let mine = [DraftRow](text: texts[field.name] ?? "").compactMap { storable($0, field, entry) }
    var counts: [[String: String]: Int] = [:]
    let derived = mine.map { row in
      counts[row.texts, default: 0] += 1
      return row.derivedID(counts[row.texts, default: 0])
    }
    let known = Set([DraftRow](text: stored ?? "").map(\.id)).intersection(derived)
    return zip(mine, derived).map { row, id in
      known.contains(id) || known.contains(row.id) ? DraftRow(id: id, texts: row.texts) : row
    }.text
  }

  /// Returns a typed row in its stored form. A row that is not valid stays as typed; the result is
  /// `nil` if the row would be dropped.
  private func storable(
    _ row: DraftRow, _ field: DraftField<Entry>, _ entry: Entry
  ) -> DraftRow? {
    let origin = origins[Self.origin(of: row, in: field.name)]
    guard Self.digest([row].text) != origin else { return row }
    var entry = entry
    guard field.store([row].text, in: &entry).isEmpty else { return row }
    return [DraftRow](text: field.text(entry)).first.map { DraftRow(id: row.id, texts: $0.texts) }
  }

  /// Returns a new entry. A field without a typed text has that of the blank entry.
  private func inserted(_ blank: Entry) throws(DraftError) -> Entry {
    try filled(blank, fields, Self.texts(of: blank, fields).merging(texts) { $1 })
  }

  private func filled(
    _ entry: Entry, _ fields: [DraftField<Entry>], _ texts: [String: String]
  ) throws(DraftError) -> Entry {
    var entry = entry
    var problems = fields.store(texts, in: &entry, checking: false)
    let changed = Set(fields.map(\.name))
    let checked = groups.filter { $0.contains { changed.contains($0.name) } }.flatMap(\.self)
    problems.merge(checked.brokenRules(by: entry)) { first, _ in first }
    guard problems.isEmpty else { throw .invalid(problems) }
    return entry
  }

  /// Returns the texts of an entry, by field.
  static func texts(of entry: Entry, _ fields: [DraftField<Entry>]) -> [String: String] {
    Dictionary(fields.map { ($0.name, $0.text(entry)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the digests of an entry's texts by field, and of the rows of fields by path.
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

  private static func digest(_ text: String) -> String { text.draftDigest }
}

extension String {
  /// The FNV-1a digest (<https://www.rfc-editor.org/rfc/rfc9923>), in 16 hexadecimal digits.
  package var draftDigest: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The reason why a form was not saved. The draft retains the typed texts.
public enum DraftError: Error {
  /// Fields were edited both here and elsewhere.
  ///
  /// - Parameters:
  ///   - texts: the typed texts of these fields, and the merged texts of the others.
  ///   - stored: digests of the stored texts, by path.
  case conflict(fields: [String], texts: [String: String], stored: [String: String])
  /// Another entry is stored under the id of the new entry, by an earlier form with that id.
  case exists
  /// The entry was deleted meanwhile.
  case deleted
  /// Some texts are not valid; the value has a sentence for the path of each field.
  case invalid([String: LocalizedText])
}
