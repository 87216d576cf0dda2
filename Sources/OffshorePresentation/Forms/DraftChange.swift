/// What was typed into a form, and what the form began with: all that is needed to merge it into the
/// entry that is stored by now.
///
/// Of each field a digest of the text that the form began with tells whether the field was edited here,
/// and whether it was edited elsewhere meanwhile.
public struct DraftChange<Entry: Sendable>: Sendable {
  let fields: [DraftField<Entry>]
  let texts: [String: String]
  /// Digests of the texts that the form began with, by field; empty for a new entry.
  let origins: [String: String]
  /// Whether an entry that was deleted meanwhile is stored anew.
  let mayInsert: Bool

  /// The entry to store in place of one.
  ///
  /// A field that was not edited here stays as it is stored. One that was edited here alone takes what was
  /// typed.
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

/// Why what was typed is not stored. Nothing is lost: the draft still has it.
public enum DraftError: Error {
  /// Fields that were edited here were edited elsewhere, too.
  /// - Parameter stored: digests of the texts that are stored, by field.
  case conflict(fields: [String], stored: [String: String])
  /// The entry was deleted meanwhile.
  case deleted
  /// Texts are not valid; a sentence by field.
  case invalid([String: LocalizedText])
}
