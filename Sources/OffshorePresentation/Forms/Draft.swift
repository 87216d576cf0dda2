public import Foundation
public import Observation
public import Offshore
public import OffshoreSync

/// The texts typed into a form, with their problems, which are saved once.
///
/// ```swift
/// let draft = Draft(PackingList.fields, id: id, isNew: false, in: store.database) {
///   PackingList(id: $0, title: "")
/// }
/// await draft.load()
/// draft["title"] = "Weekend"
/// await draft.save()
/// ```
///
/// Saving merges field by field into the entry that is stored by then. A field that was edited elsewhere
/// meanwhile is never overwritten unasked: saving reports a conflict, keeps the typed text, and overwrites
/// only if it is called again. The same holds for an entry that was deleted meanwhile.
@MainActor
public final class Draft<Entry: Identifiable & Sendable>: Observable where Entry.ID: Sendable {
  /// The fields of the form, in their order.
  public let fields: [DraftField<Entry>]
  /// The id of the entry. A new entry has it before it is stored, so that a form sent twice stores one.
  public let id: Entry.ID
  /// Whether the entry is not stored yet.
  public let isNew: Bool

  /// The typed texts, by field. A field that a form did not have yet when it was opened has none.
  @Observed private var texts: [String: String] = [:]
  /// Digests of the texts that the form began with, by field, and of their rows.
  @Observed public private(set) var origins: [String: String] = [:]
  /// Whether the form shows the entry, so that it can be edited.
  @Observed public private(set) var isFilled = false
  /// The reason why there is no entry to edit, or `nil`.
  @Observed public private(set) var loadError: AppError?
  /// The problems of the typed texts at the latest save, by the paths of their fields: `title`, or
  /// `cards.`, the id of a row and `.front`.
  @Observed public private(set) var problems: [String: LocalizedText] = [:]
  /// The fields that were edited elsewhere, too, if saving found a conflict.
  @Observed public private(set) var conflicts: [String] = []
  /// The entry that an earlier form stored under the same id, if that keeps a new entry from being stored.
  /// To store another entry, the texts need a draft with an id of its own.
  @Observed public private(set) var earlier: Entry?
  /// The reason why saving failed, or `nil`. `sync(.conflict)` and `database(.notFound)` report that the
  /// entry was edited or deleted elsewhere; saving again replaces it.
  @Observed public private(set) var saveError: AppError?

  private var mayInsert: Bool
  @Observed private var saving: (texts: [String: String], task: Task<Entry?, Never>)?
  private let blank: Entry
  private let makeID: () -> UUID
  private let fetch: @MainActor () async throws -> Entry?
  private let template: (@MainActor () async throws -> Entry?)?
  private let store: @MainActor (DraftChange<Entry>, Entry) async throws -> Entry

  /// Begins to edit an entry.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form.
  ///   - blank: the entry with its id and with the values that a new one has.
  ///   - isNew: whether the entry is not stored yet.
  ///   - makeID: makes the ids of rows that are added.
  ///   - fetch: fetches the stored entry.
  ///   - template: fetches the entry that the form begins with if none is stored; saving then stores a new
  ///     entry. Without it, a new entry begins as `blank`.
  ///   - store: stores the change in one transaction, by ``DraftChange/merged(into:blank:)``.
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
  /// - Returns: `false` if the form has no such row.
  public func change(_ change: DraftRowChange) -> Bool {
    guard change.apply(to: &texts, fields.map(\.control), makeID: makeID) else { return false }
    dropMendedProblems()
    return true
  }

  /// Drops the problems of texts that are valid by now, without reporting others.
  public func dropMendedProblems() {
    guard !problems.isEmpty else { return }
    let now = checked().problems
    problems = problems.reduce(into: [:]) { $0[$1.key] = now[$1.key] }
  }

  /// The entry with the typed texts, and the problems that saving would report now.
  ///
  /// A property whose text cannot be parsed is that of a new entry.
  public func checked() -> (entry: Entry, problems: [String: LocalizedText]) {
    var entry = blank
    let problems = fields.store(allTexts, in: &entry)
    return (entry, problems)
  }

  /// The typed texts; for a new entry, also those with which the fields begin that have none.
  private var allTexts: [String: String] {
    isNew ? DraftChange.texts(of: blank, fields).merging(texts) { $1 } : texts
  }

  // MARK: - Filling

  /// Fills the form with the stored entry, once. Texts typed after that stay; a form that was sent without
  /// some of the fields gets those.
  public func load() async {
    guard !isFilled || fields.contains(where: { texts[$0.name] == nil }) else { return }
    do {
      let stored = isNew ? nil : try await fetch()
      guard let entry = if let stored { stored } else { try await template?() } else {
        if !isFilled { loadError = .database(.notFound) }
        return
      }
      loadError = nil
      let begun = fields.filter { !isFilled || texts[$0.name] == nil }
      texts.merge(DraftChange.texts(of: entry, begun)) { $1 }
      if let stored { origins.merge(DraftChange.origins(of: stored, begun)) { $1 } }
      isFilled = true
    } catch {
      loadError = error.asAppError
    }
  }

  /// Fills the form with texts typed on an earlier page, without reading the entry.
  ///
  /// A field with neither a text nor an origin is one that the earlier page did not have; it stays as it is
  /// here, and if it has no text here either, ``load()`` fills it.
  /// - Parameter origins: ``origins`` of that page.
  public func restore(_ texts: [String: String], origins: [String: String]) {
    let unknown = fields.filter { texts[$0.name] == nil && origins[$0.name] == nil }
    let isOf = { (path: String, fields: [DraftField<Entry>]) in
      fields.contains { path == $0.name || path.hasPrefix("\($0.name).") }
    }
    self.texts = texts.merging(self.texts.filter { isOf($0.key, unknown) }) { $1 }
    // NB: Other fields than the form's are ignored, because these come from a browser.
    self.origins = origins.filter { isOf($0.key, fields) }
      .merging(self.origins.filter { isOf($0.key, unknown) }) { $1 }
    isFilled = true
  }

  /// Fills the form with the texts that are typed into the form of another new entry.
  public func restore(from other: Draft) { restore(other.texts, origins: [:]) }

  /// Fills the form with the values of an entry, as if they were typed.
  ///
  /// If the form is filled, a field stays as it is typed if its text means what the entry has.
  public func fill(with entry: Entry) {
    let typed = isFilled ? DraftChange.texts(of: checked().entry, fields) : [:]
    for field in fields where typed[field.name] != field.text(entry) {
      texts[field.name] = field.text(entry)
    }
    isFilled = true
  }

  // MARK: - Saving

  /// Stores the typed texts. A call during a save waits for it, and stores the texts typed since.
  /// - Returns: the stored entry, or `nil` if ``problems`` or ``saveError`` report why it is not stored.
  @discardableResult
  public func save() async -> Entry? {
    if let saving {
      let isSame = saving.texts == texts
      let saved = await saving.task.value
      // Texts typed meanwhile are stored, too, but not over a conflict that the user has not seen.
      return isSame || saved == nil ? saved : await save()
    }
    guard isFilled else { return nil }
    (problems, conflicts, earlier, saveError) = ([:], [], nil, nil)
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
      // Invalid texts are reported at once, whatever is stored.
      problems = change.ofEdited(checked().problems)
      guard problems.isEmpty else { return nil }
      let saved = try await store(change, blank)
      origins = DraftChange.origins(of: saved, fields)
      return saved
    } catch DraftError.exists {
      await reportEarlier()
    } catch let error as DraftError {
      report(error)
    } catch {
      saveError = AppError(saving: error)
    }
    return nil
  }

  private func reportEarlier() async {
    do {
      earlier = try await fetch()
    } catch {
      saveError = AppError(saving: error)
    }
  }

  /// Reports an error, and allows the next save to replace the stored entry.
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

  /// Drops chosen values that cannot be chosen any more, so that saving again goes without them.
  private func removeGoneChoices(of field: DraftField<Entry>) {
    guard case .choices(let choices) = field.control.kind else { return }
    let known = Set(choices().map(\.value))
    texts[field.name] = self[field.name].split(separator: "\n").map(String.init)
      .filter(known.contains).joined(separator: "\n")
  }
}

extension Draft where Entry: Record & Equatable {
  /// Begins to edit a row of a store, if the account may change it.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form.
  ///   - id: the row's primary key.
  ///   - isNew: whether the row is not stored yet.
  ///   - store: the file of the row.
  ///   - makeID: makes the ids of rows that are added to a field.
  ///   - blank: the row with the values that a new one has.
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

  /// Begins to edit a row of a database.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form.
  ///   - id: the row's primary key.
  ///   - isNew: whether the row is not stored yet.
  ///   - database: where the row is stored.
  ///   - makeID: makes the ids of rows that are added to a field.
  ///   - check: refuses to store a row by throwing, in the transaction, before and after it is stored.
  ///   - blank: the row with the values that a new one has.
  public convenience init(
    _ fields: [DraftField<Entry>], id: Entry.ID, isNew: Bool, in database: Database,
    makeID: @escaping () -> UUID = { UUID() },
    check: @escaping @Sendable (Entry, Writer) throws -> Void = { _, _ in },
    blank: (Entry.ID) -> Entry
  ) {
    self.init(fields, blank: blank(id), isNew: isNew, makeID: makeID) {
      try await database.read { try Entry.find(id).one($0) }
    } store: { change, blank in
      try await database.write { writer in
        let stored = try Entry.find(id).one(writer)
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
