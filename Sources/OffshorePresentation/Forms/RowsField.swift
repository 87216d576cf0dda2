public import Foundation

/// The rows of a field, with their conversion to and from text.
private struct RowsField<Entry: Sendable, Row: Sendable>: Sendable {
  /// Returns the fields of each row, for an entry if there is one.
  let fields: @Sendable (Entry?) -> [DraftField<Row>]
  /// The maximum number of rows.
  let limit: Int
  /// Returns whether a string can be the id of a row.
  let isID: @Sendable (String) -> Bool
  /// Whether the ids of stored rows are derived from their texts.
  var derivesIDs = false
  /// Returns the rows of an entry.
  let rows: @Sendable (Entry) -> [(id: String, row: Row)]
  /// Returns a new row with its id.
  let makeRow: @Sendable (_ makeID: () -> UUID) -> (id: String, row: Row)
  /// Returns an empty row with an id, or `nil` if the id is not valid.
  let emptyRow: @Sendable (_ id: String) -> Row?
  /// Assigns rows to an entry. If they are not valid, returns a sentence instead.
  let assign: @Sendable ([Row], inout Entry) -> LocalizedText?

  func field(
    _ name: String, _ label: LocalizedText, _ hint: LocalizedText?,
    title: @escaping @Sendable (Int) -> LocalizedText, add: LocalizedText
  ) -> DraftField<Entry> {
    let initial = fields(nil)
    let declared = DraftRows(
      controls: initial.map(\.control), title: title, addLabel: add, isID: isID,
      derivesIDs: derivesIDs
    ) { [makeRow] makeID in
      let made = makeRow(makeID)
      return DraftRow(made.row, id: made.id, initial)
    }
    let control = DraftControl(
      name: name, label: label, hint: hint, kind: .rows(declared), isRequired: false)
    return DraftField(control) {
      text(of: $0)
    } write: { text, path, entry in
      store(text, at: path, in: &entry)
    }
  }

  private func text(of entry: Entry) -> String {
    let fields = fields(entry)
    return rows(entry).map { DraftRow($0.row, id: $0.id, fields) }.text
  }

  private func store(
    _ text: String, at path: String, in entry: inout Entry
  ) -> [String: LocalizedText] {
    let fields = fields(entry)
    let stored = Dictionary(rows(entry).map { ($0.id, $0.row) }) { first, _ in first }
    let drafts = [DraftRow](text: text)
    if drafts.count > limit { return [path: .atMost(limit)] }
    var (written, problems): ([Row], [String: LocalizedText]) = ([], [:])
    for draft in drafts {
      guard var row = stored[draft.id] ?? emptyRow(draft.id) else { continue }
      for field in fields {
        guard let text = draft.texts[field.name] else { continue }
        let path = "\(path).\(draft.id).\(field.name)"
        problems.merge(field.store(text, at: path, in: &row)) { $1 }
      }
      written.append(row)
    }
    if let problem = assign(written, &entry) { problems[path] = problem }
    return problems
  }
}

extension DraftField {
  /// Returns a field for rows with ids, which can be added, moved and removed.
  ///
  /// ```swift
  /// .rows(
  ///   "cards", \.cards, label: .cards,
  ///   fields: [.line("front", \.front, label: .question), .line("back", \.back, label: .answer)],
  ///   title: { .card($0) }, add: .addCard, new: { Flashcard(id: $0(), front: "", back: "") })
  /// ```
  ///
  /// Rows that were edited in different places are merged row by row.
  /// - Parameters:
  ///   - fields: the fields of each row.
  ///   - limit: the maximum number of rows.
  ///   - title: returns the title of a row from its position, starting at 1.
  ///   - add: the label of the button that adds a row.
  ///   - check: returns a sentence if the rows as a whole are not valid.
  ///   - new: returns an empty row, whose id is the first one that its parameter returns.
  public static func rows<Row: Identifiable & Sendable>(
    _ name: String, _ property: any WritableKeyPath<Entry, [Row]> & Sendable, label: LocalizedText,
    hint: LocalizedText? = nil, fields: [DraftField<Row>], limit: Int = 100,
    title: @escaping @Sendable (_ number: Int) -> LocalizedText, add: LocalizedText,
    check: @escaping @Sendable ([Row]) -> LocalizedText? = { _ in nil },
    new: @escaping @Sendable (_ makeID: () -> UUID) -> Row
  ) -> DraftField where Row.ID == UUID {
    RowsField<Entry, Row>(
      fields: { _ in fields }, limit: limit, isID: { UUID(uuidString: $0) != nil },
      rows: { entry in entry[keyPath: property].map { ($0.id.uuidString, $0) } },
      makeRow: { makeID in
        let row = new(makeID)
        return (row.id.uuidString, row)
      },
      emptyRow: { id in UUID(uuidString: id).map { id in new { id } } },
      assign: { rows, entry in
        if let problem = check(rows) { return problem }
        entry[keyPath: property] = rows
        return nil
      }
    ).field(name, label, hint, title: title, add: add)
  }

  /// Returns a field for rows without ids, which can be added, moved and removed.
  ///
  /// The form derives the id of a stored row from its texts and its position among equal rows. An
  /// added row has a random id until it is stored. Rows that were added and removed in different
  /// places are merged.
  /// - Parameters:
  ///   - fields: returns the fields of each row. The entry is passed if they read or store its
  ///     rows.
  ///   - limit: the maximum number of rows.
  ///   - title: returns the title of a row from its position, starting at 1.
  ///   - add: the label of the button that adds a row.
  ///   - new: returns an empty row.
  public static func rows<Row: Sendable>(
    _ name: String, values property: any WritableKeyPath<Entry, [Row]> & Sendable,
    label: LocalizedText, hint: LocalizedText? = nil,
    fields: @escaping @Sendable (Entry?) -> [DraftField<Row>], limit: Int = 100,
    title: @escaping @Sendable (_ number: Int) -> LocalizedText, add: LocalizedText,
    new: @escaping @Sendable () -> Row
  ) -> DraftField {
    RowsField<Entry, Row>(
      fields: fields, limit: limit,
      isID: { !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == "-") } },
      derivesIDs: true,
      rows: { entry in
        let fields = fields(entry)
        var counts: [[String: String]: Int] = [:]
        return entry[keyPath: property].map { row in
          let shown = DraftRow(row, id: "", fields)
          counts[shown.texts, default: 0] += 1
          return (shown.derivedID(counts[shown.texts, default: 0]), row)
        }
      },
      makeRow: { makeID in (makeID().uuidString, new()) }, emptyRow: { _ in new() },
      assign: { rows, entry in
        entry[keyPath: property] = rows
        return nil
      }
    ).field(name, label, hint, title: title, add: add)
  }
}

extension DraftRow {
  /// Returns the derived id of a row without an id of its own.
  /// - Parameter number: its position among the rows with the same texts, starting at 1.
  func derivedID(_ number: Int) -> String {
    "\([DraftRow(id: "", texts: texts)].text.draftDigest)-\(number)"
  }

  /// Creates the texts of a stored row.
  fileprivate init<Row>(_ row: Row, id: String, _ fields: [DraftField<Row>]) {
    self.init(
      id: id,
      texts: Dictionary(fields.map { ($0.name, $0.text(row)) }, uniquingKeysWith: { $1 }))
  }
}
