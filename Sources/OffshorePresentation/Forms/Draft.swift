public import Foundation
public import Observation
public import Offshore
public import OffshoreSync

/// A form that edits an entry: its typed texts, their problems, and saving.
///
/// ```swift
/// let draft = Draft(PackingList.fields, id: id, isNew: false, in: store) {
///   PackingList(id: $0, title: "")
/// }
/// await draft.load()
/// draft["title"] = "Weekend"
/// await draft.save()
/// ```
///
/// Saving merges the form field by field into the currently stored entry. If a field was edited
/// here and elsewhere meanwhile, the first call of ``save()`` reports a conflict and preserves the
/// typed text, and the second call overwrites the stored value. In the same way, the second call
/// restores an entry that was deleted meanwhile.
@MainActor
public final class Draft<Entry: Identifiable & Sendable>: Observable where Entry.ID: Sendable {
  /// The fields of the form, in their order of display.
  public let fields: [DraftField<Entry>]
  /// The id of the entry. A new entry has it before it is stored, so submitting a form twice stores
  /// one entry.
  public let id: Entry.ID
  /// Whether the form is for a new entry.
  public let isNew: Bool

  /// The typed texts, by field. A field that was added to the form after it was opened has none.
  @Observed private var texts: [String: String] = [:]
  /// Digests of the original texts of the form and of their rows, by path.
  @Observed public private(set) var origins: [String: String] = [:]
  /// Whether the form is filled with an entry.
  @Observed public private(set) var isFilled = false
  /// The reason why the form could not be filled, or `nil`.
  @Observed public private(set) var loadError: AppError?
  /// The problems found by the latest save, by the path of the field: `title`, or
  /// `cards.<id of the row>.front`.
  @Observed public private(set) var problems: [String: LocalizedText] = [:]
  /// The fields that were also edited elsewhere, if saving found a conflict.
  @Observed public private(set) var conflicts: [String] = []
  /// The entry that another form with the same id has stored, if that prevented the latest save. To
  /// store both, create a draft with another id.
  @Observed public private(set) var existingEntry: Entry?
  /// The reason why saving failed, or `nil`. After `sync(.conflict)` or `database(.notFound)`,
  /// because the entry was edited or deleted elsewhere, saving again overwrites or restores it.
  @Observed public private(set) var saveError: AppError?

  private var mayInsert: Bool
  @Observed private var saving: (texts: [String: String], task: Task<Entry?, Never>)?
  private let blank: Entry
  private let makeID: () -> UUID
  private let fetch: @MainActor () async throws -> Entry?
  private let template: (@MainActor () async throws -> Entry?)?
  private let store: @MainActor (DraftChange<Entry>, Entry) async throws -> Entry

  /// Creates a draft of an entry.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form.
  ///   - blank: an entry with the id and with the initial values of a new one.
  ///   - isNew: whether the entry is not stored yet.
  ///   - makeID: returns the ids of added rows.
  ///   - fetch: fetches the stored entry.
  ///   - template: fetches the entry to begin with if none is stored; saving then stores a new
  ///     entry. Without it, a new entry begins as `blank`.
  ///   - store: stores the change in one transaction, using ``DraftChange/merged(into:blank:)``.
  public init(
    _ fields: [DraftField<Entry>], blank: Entry, isNew: Bool,
    makeID: @escaping () -> UUID = { UUID() },
    fetch: @escaping @MainActor () async throws -> Entry?,
    template: (@MainActor () async throws -> Entry?)? = nil,
    store: @escaping @MainActor (_ change: DraftChange<Entry>, _ blank: Entry) async throws -> Entry
  ) {
    self.fields = fields
    self.blank = blank
    self.isNew = isNew
    self.makeID = makeID
    self.fetch = fetch
    self.template = template
    self.store = store
    id = blank.id
    mayInsert = isNew
    if isNew, template == nil { fill(with: blank) }
  }

  /// Whether the typed texts are being stored.
  public var isSaving: Bool { saving != nil }

  /// The text of a field.
  public subscript(field: String) -> String {
    get { texts[field] ?? "" }
    set { texts[field] = newValue }
  }

  /// Adds, removes or moves a row.
  /// - Returns: `false` if the row does not exist.
  public func change(_ change: DraftRowChange) -> Bool {
    guard change.apply(to: &texts, fields.map(\.control), makeID: makeID) else { return false }
    removeSolvedProblems()
    return true
  }

  /// Removes the problems of texts that are valid now, without reporting new ones.
  public func removeSolvedProblems() {
    guard !problems.isEmpty else { return }
    let now = validated().problems
    problems = problems.reduce(into: [:]) { $0[$1.key] = now[$1.key] }
  }

  /// Returns the entry with the typed texts, and the problems that saving would report.
  ///
  /// A property whose text cannot be parsed has its initial value.
  public func validated() -> (entry: Entry, problems: [String: LocalizedText]) {
    var entry = blank
    let problems = fields.store(allTexts, in: &entry)
    return (entry, problems.merging(unknownItems) { first, _ in first })
  }

  /// The problems of fields whose text is not one of the items to choose from.
  private var unknownItems: [String: LocalizedText] {
    let texts = allTexts
    return fields.reduce(into: [:]) {
      $0[$1.name] = $1.problemOfUnknownItem(texts[$1.name] ?? "")
    }
  }

  /// The typed texts. For a new entry, fields without one have their initial texts.
  private var allTexts: [String: String] {
    isNew ? DraftChange.texts(of: blank, fields).merging(texts) { $1 } : texts
  }

  // MARK: - Filling

  /// Fills the form with the stored entry, unless it is filled already. In a filled form, it fills
  /// the fields without a text, because a form can be submitted without some of its fields.
  public func load() async {
    guard !isFilled || fields.contains(where: { texts[$0.name] == nil }) else { return }
    do {
      let stored = isNew ? nil : try await fetch()
      guard let entry = if let stored { stored } else { try await template?() } else {
        if !isFilled { loadError = .database(.notFound) }
        return
      }
      loadError = nil
      let unfilled = fields.filter { !isFilled || texts[$0.name] == nil }
      texts.merge(DraftChange.texts(of: entry, unfilled)) { $1 }
      if let stored { origins.merge(DraftChange.origins(of: stored, unfilled)) { $1 } }
      isFilled = true
    } catch {
      loadError = error.asAppError
    }
  }

  /// Fills the form with texts typed on an earlier page, without reading the entry.
  ///
  /// A field with neither a text nor an origin was not part of the earlier page. It does not
  /// change, and ``load()`` fills it if it has no text.
  ///
  /// - Parameters:
  ///   - texts: the typed texts, by field.
  ///   - origins: the ``origins`` of that page.
  public func restore(_ texts: [String: String], origins: [String: String]) {
    let unknown = fields.filter { texts[$0.name] == nil && origins[$0.name] == nil }
    let belongs = { (path: String, fields: [DraftField<Entry>]) in
      fields.contains { path == $0.name || path.hasPrefix("\($0.name).") }
    }
    self.texts = texts.merging(self.texts.filter { belongs($0.key, unknown) }) { $1 }
    // NB: Fields that the form does not have are ignored, because the texts come from a browser.
    self.origins = origins.filter { belongs($0.key, fields) }
      .merging(self.origins.filter { belongs($0.key, unknown) }) { $1 }
    isFilled = true
  }

  /// Fills the form with the texts of the draft of another new entry.
  public func restore(from other: Draft) { restore(other.texts, origins: [:]) }

  /// Fills the form with the values of an entry, as if they were typed.
  ///
  /// In a filled form, a typed text that already has the same value stays as it is.
  public func fill(with entry: Entry) {
    let typed = isFilled ? DraftChange.texts(of: validated().entry, fields) : [:]
    for field in fields where typed[field.name] != field.text(entry) {
      texts[field.name] = field.text(entry)
    }
    isFilled = true
  }

  // MARK: - Saving

  /// Stores the typed texts. A call during another one waits for it, and stores the texts typed
  /// since.
  /// - Returns: the stored entry, or `nil` if it is not stored because of ``problems``,
  ///   ``existingEntry`` or ``saveError``.
  @discardableResult
  public func save() async -> Entry? {
    if let saving {
      let isSame = saving.texts == texts
      let saved = await saving.task.value
      // Texts typed meanwhile are stored too, but not over a conflict that the user has not seen.
      return isSame || saved == nil ? saved : await save()
    }
    guard isFilled else { return nil }
    (problems, conflicts, existingEntry, saveError) = ([:], [], nil, nil)
    let change = DraftChange(
      fields: fields, texts: allTexts, origins: origins, isNew: isNew,
      mayInsert: mayInsert || origins.isEmpty)
    let task = Task { await save(change) }
    saving = (texts, task)
    return await task.value
  }

  private func save(_ change: DraftChange<Entry>) async -> Entry? {
    defer { saving = nil }
    do {
      // Invalid texts are reported at once, regardless of the stored entry.
      problems = change.problemsOfEditedFields(validated().problems)
      guard problems.isEmpty else { return nil }
      let saved = try await store(change, blank)
      origins = DraftChange.origins(of: saved, fields)
      return saved
    } catch DraftError.exists {
      await reportEarlier()
    } catch let error as DraftError {
      report(error)
    } catch {
      report(AppError(saving: error))
    }
    return nil
  }

  /// Reports an error beside the field that it names, or above the form.
  private func report(_ error: AppError) {
    if case .validation(let reason) = error, let name = reason.field,
      let field = fields.first(where: { $0.name == name })
    {
      let names = FieldNames.common.adding([name: field.control.label])
      problems = [name: error.localizedMessage(naming: names)]
    } else {
      saveError = error
    }
  }

  private func reportEarlier() async {
    do {
      existingEntry = try await fetch()
    } catch {
      saveError = AppError(saving: error)
    }
  }

  /// Reports an error. The next save can then overwrite or restore the stored entry.
  private func report(_ error: DraftError) {
    switch error {
    case .conflict(let fields, let texts, let origins):
      (conflicts, self.texts, self.origins) = (fields, texts, origins)
      saveError = .sync(.conflict)
    case .exists: break
    case .deleted:
      mayInsert = true
      origins = [:]
      saveError = .database(.notFound)
    case .invalid(let problems):
      self.problems = problems
      for field in fields where problems[field.name] != nil { removeGoneChoices(of: field) }
    }
  }

  /// Removes selected values that are no longer among the choices, so that saving again succeeds
  /// without them.
  private func removeGoneChoices(of field: DraftField<Entry>) {
    guard case .choices(let choices) = field.control.kind else { return }
    let known = Set(choices().map(\.value))
    texts[field.name] = self[field.name].split(separator: "\n").map(String.init)
      .filter(known.contains).joined(separator: "\n")
  }
}

extension Draft where Entry: Record & Equatable {
  /// Creates a draft of a row in a synced store. Saving fails if the account may not edit the row.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form.
  ///   - id: the row's primary key.
  ///   - isNew: whether the row is not stored yet.
  ///   - store: the file of the row.
  ///   - makeID: returns the ids of rows added to a field.
  ///   - blank: returns the row with the initial values of a new one.
  public convenience init(
    _ fields: [DraftField<Entry>], id: Entry.ID, isNew: Bool, in store: SyncedStore,
    makeID: @escaping () -> UUID = { UUID() }, blank: (Entry.ID) -> Entry
  ) {
    self.init(fields, id: id, isNew: isNew, in: store.database, makeID: makeID) { _, writer in
      try store.checkMayEdit(Entry.find(id), writer)
    } blank: {
      blank($0)
    }
  }

  /// Creates a draft of a row in a database.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form.
  ///   - id: the row's primary key.
  ///   - isNew: whether the row is not stored yet.
  ///   - database: the database of the row.
  ///   - makeID: returns the ids of rows added to a field.
  ///   - check: throws if the row may not be stored; called in the transaction, before and after it
  ///     is stored.
  ///   - blank: returns the row with the initial values of a new one.
  convenience init(
    _ fields: [DraftField<Entry>], id: Entry.ID, isNew: Bool, in database: Database,
    makeID: @escaping () -> UUID = { UUID() },
    check: @escaping @Sendable (Entry, Writer) throws -> Void = { _, _ in },
    blank: (Entry.ID) -> Entry
  ) {
    self.init(fields, blank: blank(id), isNew: isNew, makeID: makeID) {
      try await database.read { try Entry.find(id).first($0) }
    } store: { change, blank in
      try await database.write { writer in
        let stored = try Entry.find(id).first(writer)
        let entry = try change.merged(into: stored, blank: blank)
        try check(stored ?? entry, writer)
        if let stored {
          try stored.update(changing: entry, writer)
        } else {
          try entry.insert(writer)
        }
        try check(entry, writer)
        return entry
      }
    }
  }
}
