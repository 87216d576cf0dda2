/// The texts typed into a form, and digests of its original texts: all that is needed to merge the form
/// into the entry that is stored by now.
///
/// The digest of a field's original text shows whether the field was edited here, and whether it was
/// edited elsewhere meanwhile.
public struct DraftChange<Entry: Sendable>: Sendable {
  let fields: [DraftField<Entry>]
  let texts: [String: String]
  /// Digests of the form's original texts, by field; empty for a new entry.
  let origins: [String: String]
  /// Whether an entry that was deleted meanwhile is inserted again.
  let mayInsert: Bool

  /// Merges the edits into the stored entry.
  ///
  /// A field that was not edited here stays as it is stored. A field that was edited only here gets the
  /// typed text.
  ///
  /// - Parameters:
  ///   - stored: the entry as it is stored, or `nil` if it is not.
  ///   - blank: an entry whose fields are filled in if none is stored.
  /// - Throws: ``DraftError``: `conflict` if a field was edited here and elsewhere, `deleted` if the entry
  ///   is not stored any more, `invalid` if a text is not valid.
  public func merged(into stored: Entry?, blank: Entry) throws(DraftError) -> Entry {
    guard let stored else {
      guard mayInsert else { throw .deleted }
      return try filled(blank, fields)
    }
    let changed = fields.filter { field in
      let (mine, theirs) = (texts[field.name] ?? "", field.text(stored))
      return mine != theirs && Self.digest(mine) != origins[field.name]
    }
    let conflicts = changed.filter { field in
      Self.digest(field.text(stored)) != origins[field.name]
    }
    guard conflicts.isEmpty else {
      throw .conflict(fields: conflicts.map(\.name), stored: Self.origins(of: stored, fields))
    }
    return try filled(stored, changed)
  }

  private func filled(
    _ entry: Entry, _ fields: [DraftField<Entry>]
  ) throws(DraftError) -> Entry {
    var entry = entry
    var problems: [String: LocalizedText] = [:]
    for field in fields {
      problems[field.name] = field.store(texts[field.name] ?? "", in: &entry)
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    return entry
  }

  static func origins(of entry: Entry, _ fields: [DraftField<Entry>]) -> [String: String] {
    Dictionary(
      fields.map { ($0.name, digest($0.text(entry))) }, uniquingKeysWith: { first, _ in first })
  }

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
  /// Texts are not valid; a sentence by field.
  case invalid([String: LocalizedText])
}
