import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// A page with a form in which an entry is made or edited.
///
/// ```swift
/// case .newList:
///   EditorPage(frame, in: "lists", back: PageLink(frame.say(.lists), to: Route.lists.address)) { id in
///     Draft(PackingList.fields, id: id ?? UUID(), isNew: true, in: store.database) {
///       PackingList(id: $0, title: "")
///     }
///   } next: {
///     Route.list($0.id).address
///   }
/// ```
///
/// The form carries the id of a new entry, so that a form sent twice stores one entry, and digests of the
/// texts that it began with, so that an edit made elsewhere meanwhile is not overwritten. It survives a
/// restart of the app: both are all that saving needs.
@MainActor public final class EditorPage<Entry: Identifiable & Sendable>: RoutedPage
where Entry.ID: RouteValue {
  private let frame: AppFrame
  private let part: AppFrame.Part.ID
  private let back: PageLink
  private let titles: (new: LocalizedText, edit: LocalizedText?)
  private let makeDraft: (Entry.ID?) -> Draft<Entry>
  private let next: (Entry) -> String
  private var draft: Draft<Entry>
  private var refusal: LocalizedText?
  private var loadRefusal: () async -> LocalizedText? = { nil }
  private var above: (Draft<Entry>) -> HTML = { _ in HTML() }

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - part: the id of the part of the app that the page belongs to.
  ///   - back: the link back; for an entry that is stored, also the page of the stored version.
  ///   - new: the heading for a new entry.
  ///   - edit: the heading for an entry that is stored; “Edit” with the text of its first field unless
  ///     stated.
  ///   - draft: makes the draft; for a new entry, under the id that its form was given before, if any.
  ///   - next: the address to go to after saving.
  public init(
    _ frame: AppFrame, in part: AppFrame.Part.ID, back: PageLink, new: LocalizedText = .new,
    edit: LocalizedText? = nil, draft: @escaping (_ id: Entry.ID?) -> Draft<Entry>,
    next: @escaping (Entry) -> String
  ) {
    self.frame = frame
    self.part = part
    self.back = back
    titles = (new, edit)
    makeDraft = draft
    self.next = next
    self.draft = draft(nil)
  }

  /// Shows content above the form, and can refuse to show the form.
  ///
  /// - Parameters:
  ///   - refusal: the reason why the user may not edit the entry, if any. Storing checks it again.
  ///   - content: content above the fields.
  public func showing(
    refusal: @escaping () async -> LocalizedText? = { nil },
    @HTMLBuilder above content: @escaping (Draft<Entry>) -> HTML = { _ in HTML() }
  ) -> Self {
    self.above = content
    loadRefusal = refusal
    return self
  }

  private var say: Speaker { frame.say }

  /// Reads the entry.
  /// - Throws: `AppError` with `database(.notFound)` if there is none.
  public func load() async throws {
    refusal = await loadRefusal()
    await draft.load()
    if draft.loadError == .database(.notFound) { throw AppError.database(.notFound) }
  }

  /// The form, or the reason why there is none.
  public func page(_ tab: Tab) -> Page {
    let address = tab.address
    return frame.page(tab, say(heading), in: part, back: back) {
      tab.region("editor") { self.content(at: address) }
    }
  }

  private var heading: LocalizedText {
    if draft.isNew { return titles.new }
    if let title = titles.edit { return title }
    let name = draft.fields.first.map { draft[$0.name] } ?? ""
    return name.allSatisfy(\.isWhitespace) ? .edit : .edit(name)
  }

  @HTMLBuilder private func content(at address: String) -> HTML {
    if let refusal {
      p(.class("look-only")) { say(refusal) }
    } else if draft.isFilled {
      if let error = draft.saveError { view(of: error) }
      PostForm(to: address, id: "editor-form", enterAction: "save", draftAction: "keep") {
        HiddenValue("id", draft.id.routeText)
        DraftForm.origins(of: draft)
        above(draft)
        for field in draft.fields { DraftFieldView(field, of: draft, say) }
        SaveBar(say(draft.isSaving ? .saving : .save), action: "save")
      }
    } else if let error = draft.loadError {
      ErrorView(error, say, address: address)
    } else {
      LoadingView(say(.loading))
    }
  }

  private func view(of error: AppError) -> ErrorView {
    switch error {
    case .sync(.conflict):
      ErrorView(
        say(error.localizedMessage), suggestion: say(.saveInPlaceOfStored),
        retry: .link(say(.showStored), to: back.address, inNewTab: true))
    case .database(.notFound):
      ErrorView(say(.deletedMeanwhile), suggestion: say(.saveAnew))
    default: ErrorView(error, say)
    }
  }

  /// Saves the entry, changes its rows, or only keeps the typed texts.
  public func perform(_ form: PageForm) async throws -> Outcome {
    let id = try form.value("id", as: Entry.ID.self)
    if id != draft.id { draft = makeDraft(id) }
    guard id == draft.id else {
      throw HTTPError(.badRequest, "The form has no field id of the entry at this address.")
    }
    let sent = DraftForm(form)
    draft.restore(try sent.texts(of: draft.fields.map(\.control)), origins: sent.origins)
    switch form.action {
    case "keep": return .drafted
    case "save":
      guard let entry = await draft.save() else { return .invalid }
      return .go(to: next(entry))
    default:
      guard let change = DraftRowChange(text: form.action), draft.change(change) else {
        throw form.unknownAction
      }
      return .drafted
    }
  }
}

extension LocalizedText {
  /// The heading of a page for a new entry.
  public static let new = LocalizedText(en: "New", ru: "Создание")
  /// The heading of a page on which an entry is edited, and the link to it.
  public static let edit = LocalizedText(en: "Edit", ru: "Изменить")

  /// The heading of a page on which an entry is edited, and the label of the link to it.
  static func edit(_ name: String) -> LocalizedText {
    LocalizedText(en: "Edit “\(name)”", ru: "Изменить «\(name)»")
  }

  fileprivate static let save = LocalizedText(en: "Save", ru: "Сохранить")
  fileprivate static let saving = LocalizedText(en: "Saving…", ru: "Сохраняем…")
  fileprivate static let saveInPlaceOfStored = LocalizedText(
    en: "Nothing you entered is lost: save again to store it in place of the other version.",
    ru: "Введённое вами не потеряно: сохраните ещё раз, и оно заменит другую версию.")
  fileprivate static let showStored = LocalizedText(
    en: "Show the Other Version in a New Tab", ru: "Показать другую версию в новой вкладке")
  fileprivate static let deletedMeanwhile = LocalizedText(
    en: "This was deleted meanwhile.", ru: "Тем временем это удалили.")
  fileprivate static let saveAnew = LocalizedText(
    en: "Nothing you entered is lost: save again to store it anew.",
    ru: "Введённое вами не потеряно: сохраните ещё раз, и оно появится заново.")
}
