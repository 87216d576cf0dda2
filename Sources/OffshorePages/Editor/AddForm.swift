public import Foundation
public import Observation
public import Offshore
public import OffshorePresentation
public import OffshoreSync
public import OffshoreWeb

/// A form beside a list that adds entries to it.
///
/// ```swift
/// let adding = AddForm(Item.fields, in: store) { Item(id: $0, listID: listID, name: "") }
/// adding.html(to: tab.address, say)      // in a region of the page
/// try await adding.perform(form)         // for the action “add”
/// ```
///
/// The form contains the id of the next entry, so submitting it twice stores one entry.
@MainActor public final class AddForm<Entry: Identifiable & Sendable>: Observable
where Entry.ID: RouteValue {
  private let makeDraft: (Entry.ID?) -> Draft<Entry>
  @Observed private var draft: Draft<Entry>

  /// Creates a form.
  /// - Parameter draft: creates the draft of the next entry: with an id if a form was posted with
  ///   it, or with a new one for `nil`.
  init(draft: @escaping (_ id: Entry.ID?) -> Draft<Entry>) {
    makeDraft = draft
    self.draft = draft(nil)
  }

  /// Returns the form: the fields with the typed texts and their problems, and a button.
  /// - Parameters:
  ///   - address: the page's own address.
  ///   - button: the title of the button; “Add” by default.
  public func html(to address: String, _ say: Localizer, button: LocalizedText? = nil) -> HTML {
    PostForm(to: address, id: "add-form") {
      if let error = draft.saveError { ErrorView(error, say) }
      HiddenValue("entry", draft.id.routeText)
      DraftFieldsView(draft, say)
      SubmitButton(say(button ?? .add), action: "add")
    }.html
  }

  /// Stores the entry of a posted form.
  /// - Returns: `done`, after which the form is empty; or `invalid`, and the form shows the
  ///   problems.
  /// - Throws: `HTTPError` with 400 if the form has no id.
  public func perform(_ form: PageForm) async throws -> Outcome {
    let id = try form.value("entry", as: Entry.ID.self)
    if await save(form, id) == nil, draft.existingEntry != nil {
      // An earlier form stored another entry under the id, so this one gets a new id.
      _ = await save(form, nil)
    }
    guard draft.problems.isEmpty, draft.saveError == nil else { return .invalid }
    draft = makeDraft(nil)
    return .done
  }

  private func save(_ form: PageForm, _ id: Entry.ID?) async -> Entry? {
    draft = makeDraft(id)
    for field in draft.fields { draft[field.name] = form.text(field.name) }
    return await draft.save()
  }
}

extension AddForm where Entry: Record & Equatable, Entry.ID == UUID {
  /// Creates a form that adds rows to a synced store. Saving fails if the account may not edit
  /// them.
  /// - Parameter blank: returns the row with the initial values of a new one.
  public convenience init(
    _ fields: [DraftField<Entry>], in store: SyncedStore, blank: @escaping (UUID) -> Entry
  ) {
    self.init { Draft(fields, id: $0 ?? UUID(), isNew: true, in: store, blank: blank) }
  }
}

extension LocalizedText {
  /// The label of a button that adds an entry to a list.
  static let add = LocalizedText(en: "Add", ru: "Добавить")
}
