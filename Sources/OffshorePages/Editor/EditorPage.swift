public import Foundation
public import Observation
public import Offshore
public import OffshoreHTTP
public import OffshorePresentation
import OffshoreSync
public import OffshoreWeb

/// A page with a form that creates or edits an entry.
///
/// ```swift
/// case .newList:
///   EditorPage(frame, in: "lists", back: PageLink(frame.say(.lists), to: "/"), PackingList.fields)
///   { PackingList(id: $0, title: "") } next: { Route.list($0.id).address }
/// ```
///
/// The form contains the id of a new entry, so submitting it twice stores one entry. It also
/// contains digests of its original texts, so that an edit made elsewhere meanwhile is not
/// overwritten. Saving needs nothing else, so an open form survives a restart of the app. If a
/// saved form is submitted again with other texts, the page reports that, and the next save stores
/// another entry.
@MainActor public final class EditorPage<Entry: Identifiable & Sendable>: RoutedPage, Observable
where Entry.ID: RouteValue {
  private let frame: AppFrame
  private let part: AppFrame.Part.ID
  private let back: PageLink
  private let titles: (new: LocalizedText, edit: LocalizedText?)
  private let makeDraft: (Entry.ID?) -> Draft<Entry>
  private let next: (Entry) -> String
  @Observed private var draft: Draft<Entry>
  /// Whether the form shows texts from a request.
  private var isRestored = false
  /// Whether the form was visible. Because of the typed texts, it then remains visible even if
  /// editing is refused.
  private var wasShown = false
  /// The id of the entry that the page has stored.
  private var savedID: Entry.ID?
  /// The field whose rows were changed by the latest button.
  @Observed private var changedField: String?
  /// The entry that an earlier form stored under the same id.
  @Observed private var earlier: (title: String, address: String)?
  /// The reason why the entry was not deleted.
  @Observed private var deletionError: AppError?
  /// The text of the stored entry's first field, once it is read.
  private var storedTitle: String?
  private var loadMore: () async -> Void = {}
  private var refusal: () -> LocalizedText? = { nil }
  private var translate: (Fields) -> (fields: Fields, originals: [String: String]) = { ($0, [:]) }
  private var above: (Draft<Entry>) -> HTML = { _ in HTML() }
  private var below: (Draft<Entry>) -> HTML = { _ in HTML() }
  private var deletion: Deletion?

  private struct Deletion {
    let next: String
    let text: LocalizedText?
    let perform: (_ title: String) async throws -> Void
  }

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - part: the id of the part of the app that the page belongs to.
  ///   - back: the link back. For a stored entry, it leads to the page of the entry, and its title
  ///     is replaced by the text of the entry's first field.
  ///   - new: the heading for a new entry; “New” by default.
  ///   - edit: the heading for a stored entry; “Edit” with the text of its first field by default.
  ///   - draft: creates the draft. The id of a new entry is passed if a form was posted with it,
  ///     and is `nil` for a new id.
  ///   - next: returns the address to go to after saving.
  public init(
    _ frame: AppFrame, in part: AppFrame.Part.ID, back: PageLink, new: LocalizedText? = nil,
    edit: LocalizedText? = nil, draft: @escaping (_ id: Entry.ID?) -> Draft<Entry>,
    next: @escaping (Entry) -> String
  ) {
    self.frame = frame
    self.part = part
    self.back = back
    titles = (new ?? .new, edit)
    makeDraft = draft
    self.next = next
    self.draft = draft(nil)
  }

  /// Returns the page with content above and below the form, and with a condition for showing the form.
  ///
  /// - Parameters:
  ///   - load: loads the data for `refusal` and `content`.
  ///   - refusal: returns the reason why the user may not edit the entry, or `nil`. The open page
  ///     is updated when it changes, and saving checks it again.
  ///   - content: returns the content above the form for the current draft.
  ///   - end: returns the content below the form, such as a link to a page that deletes the entry.
  public func showing(
    loading load: @escaping () async -> Void = {},
    refusal: @escaping () -> LocalizedText? = { nil },
    @HTMLBuilder above content: @escaping (Draft<Entry>) -> HTML = { _ in HTML() },
    @HTMLBuilder below end: @escaping (Draft<Entry>) -> HTML = { _ in HTML() }
  ) -> Self {
    self.above = content
    self.below = end
    self.refusal = refusal
    loadMore = load
    return self
  }

  /// Returns the page with support for open forms from an earlier version of the app, which lack
  /// the field `entry`.
  ///
  /// - Parameter translate: returns the fields of the form in the current version of the app, and
  ///   its original texts by field. A field without an original text is a conflict if it differs
  ///   from the stored entry.
  public func acceptingFormerForms(
    _ translate: @escaping (_ former: Fields) -> (fields: Fields, originals: [String: String])
  ) -> Self {
    self.translate = translate
    return self
  }

  /// Returns the page with a button that deletes the stored entry.
  ///
  /// - Parameters:
  ///   - list: the address to go to after the deletion.
  ///   - text: the consequences of the deletion; that it can be undone by default.
  ///   - perform: deletes the entry, whose title is passed.
  public func deleting(
    to list: String, saying text: LocalizedText? = nil,
    by perform: @escaping (_ title: String) async throws -> Void
  ) -> Self {
    deletion = Deletion(next: list, text: text, perform: perform)
    return self
  }

  private var say: Localizer { frame.say }

  /// Returns the address to go to after the deletion, if the form deletes an entry that was deleted
  /// already.
  public func addressIfMissing(for form: PageForm) -> String? {
    form.action == "delete" ? deletion?.next : nil
  }

  /// Reads the entry.
  /// - Throws: `AppError` with `database(.notFound)` if it does not exist.
  public func load() async throws {
    await loadMore()
    await draft.load()
    if draft.loadError == .database(.notFound) { throw AppError.database(.notFound) }
    wasShown = wasShown || refusal() == nil
    guard !draft.isNew else { return }
    // NB: A draft with texts from a request has not read the entry.
    let stored = isRestored ? makeDraft(draft.id) : draft
    await stored.load()
    if stored.isFilled { storedTitle = title(of: stored) }
  }

  /// Returns the page with the form, or with the reason why it is not shown.
  public func page(_ tab: Tab) -> Page {
    let address = tab.address
    let back = PageLink(knownTitle ?? self.back.title, to: self.back.address)
    var page = frame.page(tab, say(heading), in: part, back: back) {
      tab.region("editor") { self.content(at: address) }
    }
    if draft.fields.contains(where: \.control.kind.hasColors) {
      page.stylesheets.append(.calendar)
    }
    return page
  }

  private var heading: LocalizedText {
    if draft.isNew { return titles.new }
    return titles.edit ?? knownTitle.map { .edit($0) } ?? .edit
  }

  /// The title of the stored entry, if it has one.
  private var knownTitle: String? {
    storedTitle.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  /// Returns the text of the first field; empty if that is not a title, but for example an id.
  private func title(of draft: Draft<Entry>) -> String {
    guard let first = draft.fields.first, first.control.kind.isTitle else { return "" }
    return draft[first.name]
  }

  @HTMLBuilder private func content(at address: String) -> HTML {
    let refusal = refusal()
    if let refusal { p(.class("look-only")) { say(refusal) } }
    if refusal != nil, !isRestored, !wasShown {
      HTML()
    } else if draft.isFilled {
      if let error = draft.saveError { ErrorView(saving: error, stored: back.address, say) }
      if let deletionError { ErrorView(deletionError, say) }
      if let earlier {
        ErrorView(
          say(.createdBefore(earlier.title)), suggestion: say(.sendAgain),
          retry: .link(say(.show(earlier.title)), to: earlier.address))
      }
      above(draft)
      PostForm(to: address, id: "editor-form", enterAction: "save", draftAction: "keep") {
        // NB: A field named “id” would hide the id of the form from scripts.
        HiddenValue("entry", draft.id.routeText)
        DraftForm.origins(of: draft)
        DraftFieldsView(draft, say, changed: changedField)
        SaveBar(say(draft.isSaving ? .saving : .save), action: "save")
      }
      if let deletion, !draft.isNew {
        DeletionSection(text: deletion.text, to: address, say) {
          HiddenValue("entry", draft.id.routeText)
        }
      }
      below(draft)
    } else if let error = draft.loadError {
      ErrorView(error, say, address: address)
    } else {
      LoadingView(say(.loading))
    }
  }

  /// Fills the form with the texts of a request.
  public func prepare(for form: PageForm) throws {
    if form.action != "delete" { try restore(current(form)) }
  }

  private func current(_ form: PageForm) -> PageForm {
    guard form.fields["entry"] == nil else { return form }
    let (fields, originals) = translate(form.fields)
    return PageForm(DraftForm.adding(originals, to: fields), files: form.allFiles)
  }

  private func restore(_ form: PageForm) throws {
    let id = try form.value("entry", as: Entry.ID.self)
    if id != draft.id { draft = makeDraft(id) }
    guard id == draft.id else {
      throw HTTPError(.badRequest, "The form has no field entry of the entry at this address.")
    }
    let sent = DraftForm(form)
    draft.restore(try sent.texts(of: draft.fields.map(\.control)), origins: sent.origins)
    isRestored = true
    earlier = nil
  }

  /// Saves the entry.
  private func save() async -> Outcome {
    var saved = await draft.save()
    if saved == nil, let stored = draft.existingEntry {
      let isOwn = savedID == draft.id
      startAnotherEntry(than: stored)
      if isOwn {
        // The user returned to this page to add another entry.
        earlier = nil
        saved = await draft.save()
      }
    }
    guard let saved else { return .invalid }
    savedID = saved.id
    return .go(to: next(saved))
  }

  /// Starts another entry with the typed texts.
  private func startAnotherEntry(than stored: Entry) {
    let names = draft.fields.map(\.name)
    let texts = Dictionary(names.map { ($0, draft[$0]) }, uniquingKeysWith: { first, _ in first })
    earlier = (draft.fields.first?.text(stored) ?? "", next(stored))
    draft = makeDraft(nil)
    draft.restore(texts, origins: [:])
  }

  /// Deletes the entry.
  /// - Throws: `AppError` with `database(.notFound)` if it does not exist.
  private func delete(
    by perform: (_ title: String) async throws -> Void, next: String
  ) async throws -> Outcome {
    deletionError = nil
    do {
      try await perform(storedTitle ?? title(of: draft))
      return .go(to: next)
    } catch {
      let error = AppError(saving: error)
      if error == .database(.notFound) { throw error }
      deletionError = error
      return .invalid
    }
  }

  /// Saves the entry, changes its rows, or only retains the typed texts.
  public func perform(_ form: PageForm) async throws -> Outcome {
    if form.action == "delete", let deletion {
      return try await delete(by: deletion.perform, next: deletion.next)
    }
    let form = current(form)
    try restore(form)
    switch form.action {
    case "keep":
      draft.removeSolvedProblems()
      return .drafted
    case "save":
      return await save()
    default:
      guard let change = DraftRowChange(text: form.action), draft.change(change) else {
        throw form.unknownAction
      }
      changedField = change.field
      return .drafted
    }
  }
}

extension DraftControl.Kind {
  /// Whether the text of the first field can be a title.
  fileprivate var isTitle: Bool {
    switch self {
    case .line, .text: true
    default: false
    }
  }
}

extension EditorPage where Entry.ID == UUID {
  /// Creates a page for entries of any storage, such as those of a feature's store.
  ///
  /// - Parameters:
  ///   - part: the id of the part of the app that the page belongs to.
  ///   - back: the link back.
  ///   - fields: the fields of the form.
  ///   - id: the id of a stored entry, or `nil` for a new one.
  ///   - new: the heading for a new entry; “New” by default.
  ///   - edit: the heading for a stored entry; “Edit” with the text of its first field by default.
  ///   - blank: returns the entry with the initial values of a new one.
  ///   - fetch: returns the stored entry with an id, or `nil`.
  ///   - save: stores an entry, which has the edits merged into the fetched one; that is `nil` for a new
  ///     entry. It throws an error that is `AppError.sync(.conflict)`, such as `RefusedEdits`, if the
  ///     stored entry is not the fetched one any more. The edits are merged once more then.
  ///     `DraftError.invalid` shows a sentence beside a field.
  ///   - next: returns the address to go to after saving.
  public convenience init(
    _ frame: AppFrame, in part: AppFrame.Part.ID, back: PageLink, _ fields: [DraftField<Entry>],
    of id: UUID? = nil, new: LocalizedText? = nil, edit: LocalizedText? = nil,
    blank: @escaping (UUID) -> Entry, fetch: @escaping @MainActor (UUID) async throws -> Entry?,
    save: @escaping @MainActor (_ before: Entry?, _ after: Entry) async throws -> Void,
    next: @escaping (Entry) -> String
  ) {
    self.init(frame, in: part, back: back, new: new, edit: edit) { posted in
      let blank = blank(id ?? posted ?? frame.store.makeID())
      return Draft(fields, blank: blank, isNew: id == nil, makeID: frame.store.makeID) {
        try await fetch(blank.id)
      } store: { change, _ in
        @MainActor func store() async throws -> Entry {
          let stored = try await fetch(blank.id)
          let entry = try change.merged(into: stored, blank: blank)
          try await save(stored, entry)
          return entry
        }
        do { return try await store() } catch  where error.asAppError == .sync(.conflict) {
          return try await store()
        }
      }
    } next: {
      next($0)
    }
  }
}

extension EditorPage where Entry: Record & Equatable, Entry.ID == UUID {
  /// Creates a page for rows of the app's file that the account may edit.
  ///
  /// - Parameters:
  ///   - part: the id of the part of the app that the page belongs to.
  ///   - back: the link back.
  ///   - fields: the fields of the form.
  ///   - id: the id of a stored row, or `nil` for a new one.
  ///   - new: the heading for a new row; “New” by default.
  ///   - list: the address to go to after a deletion; without it, there is no button to delete the
  ///     row.
  ///   - blank: returns the row with the initial values of a new one.
  ///   - next: returns the address to go to after saving.
  public convenience init(
    _ frame: AppFrame, in part: AppFrame.Part.ID, back: PageLink, _ fields: [DraftField<Entry>],
    of id: UUID? = nil, new: LocalizedText? = nil, deletingTo list: String? = nil,
    blank: @escaping (UUID) -> Entry, next: @escaping (Entry) -> String
  ) {
    self.init(frame, in: part, back: back, new: new) { draftID in
      Draft(fields, id: id ?? draftID ?? UUID(), isNew: id == nil, in: frame.store, blank: blank)
    } next: {
      next($0)
    }
    guard let id, let list else { return }
    _ = deleting(to: list) { try await frame.remove(Entry.find(id), saying: .deleted($0)) }
  }
}

extension LocalizedText {
  fileprivate static let save = LocalizedText(en: "Save", ru: "Сохранить")
  fileprivate static let saving = LocalizedText(en: "Saving…", ru: "Сохраняем…")
  fileprivate static func createdBefore(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "This form has created “\(name)” before.", ru: "Эта форма уже создала «\(name)».")
  }
  fileprivate static let sendAgain = LocalizedText(
    en: "Send it again to create another one.",
    ru: "Отправьте её ещё раз, чтобы создать ещё одну запись.")
}
