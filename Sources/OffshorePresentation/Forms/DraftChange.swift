/// The texts typed into a form, and digests of its original texts: all that is needed to merge the form
/// into the entry that is stored by now.
///
/// The digest of a field's original text shows whether the field was edited here, and whether it was
/// edited elsewhere meanwhile.
public struct DraftChange<Entry: Sendable>: Sendable {
  let fields: [DraftField<Entry>]
  /// The typed texts. A field without one is not edited.
  let texts: [String: String]
  /// Digests of the form's original texts and of their rows, by path; empty for a new entry.
  let origins: [String: String]
  /// Whether the form is for a new entry.
  let isNew: Bool
  /// Whether an entry that was deleted meanwhile is inserted again.
  let mayInsert: Bool

  /// Merges the edits into the stored entry.
  ///
  /// A field that was not edited here stays as it is stored. A field that was edited only here gets the
  /// typed text. Of a field with rows, the same holds for each row; of a group, for all its fields as one.
  ///
  /// Texts are compared as they would be stored, so that a form that is sent again changes nothing.
  ///
  /// - Parameters:
  ///   - stored: the entry as it is stored, or `nil` if it is not.
  ///   - blank: an entry whose fields are filled in if none is stored.
  /// - Throws: ``DraftError``: `conflict` if a field was edited here and elsewhere, `deleted` if the entry
  ///   is not stored any more, `exists` if a new entry has the id of another one, `invalid` if a text is not
  ///   valid.
  public func merged(into stored: Entry?, blank: Entry) throws(DraftError) -> Entry {
    guard let stored else {
      guard mayInsert else { throw .deleted }
      return try inserted(blank)
    }
    let theirs = Self.texts(of: stored, fields)
    if isNew, origins.isEmpty {
      // A form that is sent twice stores one entry.
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

  /// Merges the typed texts into those that are stored.
  /// - Returns: the texts, and the fields that were edited here and elsewhere, which have the typed text.
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

  /// Leaves the problems of fields that were edited here: a value that was stored before stays.
  func ofEdited(_ problems: [String: LocalizedText]) -> [String: LocalizedText] {
    let edited = groups.filter { group in
      group.contains { isEdited($0.name, texts) }
    }
    let names = Set(edited.joined().map(\.name))
    return problems.filter { path, _ in names.contains(String(path.prefix { $0 != "." })) }
  }

  /// Whether a field has another text than the form began with.
  private func isEdited(_ name: String, _ texts: [String: String]) -> Bool {
    texts[name].map { Self.digest($0) != origins[name] } ?? false
  }

  /// The fields, those of a group together.
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
  /// - Returns: `nil` if the same row was edited in both places, or if the order of the rows differs.
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
    // Rows that were removed elsewhere stay removed, unless they were edited here.
    guard !added.contains(where: { isKnown($0) && isEdited($0) }) else { return nil }
    return (merged + added.filter { !isKnown($0) }).text
  }

  // MARK: - Texts as they would be stored

  /// The typed texts as the stored entry would show them. A text that is not valid stays as it is typed.
  private func storable(in stored: Entry, _ theirs: [String: String]) -> [String: String] {
    var (mine, filled, base) = (texts, stored, stored)
    let problems = fields.store(texts, in: &filled, checking: false)
    _ = fields.filter { !$0.derivesRowIDs }.store(texts, in: &base, checking: false)
    for field in fields where isEdited(field.name, texts) {
      if field.derivesRowIDs {
        mine[field.name] = identified(field, theirs[field.name], base)
      } else if !problems.keys.contains(where: { $0.split(separator: ".")[0] == field.name }) {
        mine[field.name] = field.text(filled)
      }
    }
    return mine
  }

  /// Gives the id of a stored row to each typed row with the same texts.
  ///
  /// Until it is stored, a new row has an id that is not derived from its texts, and an edited row has that of
  /// its former texts.
  private func identified(
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

  /// A typed row as it would be shown once it is stored; `nil` if it would not be stored.
  private func storable(
    _ row: DraftRow, _ field: DraftField<Entry>, _ entry: Entry
  ) -> DraftRow? {
    let origin = origins[Self.origin(of: row, in: field.name)]
    guard Self.digest([row].text) != origin else { return row }
    var entry = entry
    guard field.store([row].text, in: &entry).isEmpty else { return row }
    return [DraftRow](text: field.text(entry)).first.map { DraftRow(id: row.id, texts: $0.texts) }
  }

  /// A new entry. A field without a text has that of the blank entry.
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

  /// The texts of the fields of an entry.
  static func texts(of entry: Entry, _ fields: [DraftField<Entry>]) -> [String: String] {
    Dictionary(fields.map { ($0.name, $0.text(entry)) }, uniquingKeysWith: { first, _ in first })
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

  private static func digest(_ text: String) -> String { text.draftDigest }
}

extension String {
  /// A digest by FNV-1a (<https://www.rfc-editor.org/rfc/rfc9923>), in 16 hexadecimal digits.
  package var draftDigest: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The reason why the typed texts are not stored. The draft still has them.
public enum DraftError: Error {
  /// Fields that were edited here were edited elsewhere, too.
  ///
  /// - Parameters:
  ///   - texts: the typed texts of these fields, and the merged texts of the others.
  ///   - stored: digests of the texts that are stored, by field.
  case conflict(fields: [String], texts: [String: String], stored: [String: String])
  /// A new entry has the id of an entry that is stored, which an earlier form of that id made.
  case exists
  /// The entry was deleted meanwhile.
  case deleted
  /// Texts are not valid; a sentence by the path of each field.
  case invalid([String: LocalizedText])
}
