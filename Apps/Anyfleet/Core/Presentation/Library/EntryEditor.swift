import Foundation
public import Observation
import OffshorePresentation

/// Writing something of the library: what is entered, what is wrong with it, and saving it.
///
/// A change that was stored meanwhile from another screen is never overwritten unasked: saving says
/// so, keeps what is entered, and overwrites only when it is called again.
@MainActor
public final class EntryEditor<Form: EntryForm>: Observable {
  /// The id under which it is stored, so that saving a form twice stores one.
  let id: UUID
  @Observed var form = Form()
  /// Whether the form has what is to be changed.
  @Observed private(set) var isFilled = false
  @Observed private(set) var saveError: AppError?
  @Observed private(set) var validationErrors: [EntryProblem<Form.Field>] = []

  @Observed private var saving: (form: Form, task: Task<Form.Entry?, Never>)?
  private let creatorID: UUID
  private let now: @MainActor () -> Date
  private let store: @MainActor (Form.Entry, Date?) async throws -> Form.Entry

  /// Takes what it needs.
  ///
  /// - Parameters:
  ///   - creatorID: the session's user.
  ///   - now: the current date.
  ///   - store: stores what was made from a version, and throws where another one is stored.
  init(
    id: UUID, creatorID: UUID, now: @escaping @MainActor () -> Date,
    store: @escaping @MainActor (Form.Entry, Date?) async throws -> Form.Entry
  ) {
    self.id = id
    self.creatorID = creatorID
    self.now = now
    self.store = store
  }

  var isSaving: Bool { saving != nil }

  /// Takes what there is to change, or what was entered before.
  func fill(_ form: Form) {
    self.form = form
    isFilled = true
  }

  /// Saves what is entered, unless the form does not allow it.
  func save() async -> Form.Entry? {
    if let saving {
      let isSame = saving.form == form
      let saved = await saving.task.value
      // What was entered meanwhile is saved too, but not over what nobody has been told of.
      return isSame || saved == nil ? saved : await save()
    }
    guard isFilled else { return nil }
    (saveError, validationErrors) = (nil, form.problems)
    guard validationErrors.isEmpty else { return nil }
    let entry = form.entry(id: id, by: creatorID, at: now())
    let task = Task { [version = form.basedOn] in await save(entry, over: version) }
    saving = (form, task)
    return await task.value
  }

  private func save(_ entry: Form.Entry, over version: Date?) async -> Form.Entry? {
    defer { saving = nil }
    do {
      let saved = try await store(entry, version)
      form.basedOn = saved.updatedAt
      return saved
    } catch {
      let isNothingInTheWay = version == nil && error as? RepositoryError == .notFound
      rebase(after: error)
      // What it belongs to is gone, as a charter can be: saving again would not help.
      saveError = isNothingInTheWay ? .content(.notFound) : AppError(saving: error)
      return nil
    }
  }

  /// Lets the next attempt replace what stood in the way of this one.
  private func rebase(after error: any Error) {
    switch (error as? RepositoryError)?.kind {
    case .conflict(let version): form.basedOn = version
    case .notFound: form.basedOn = nil
    default: break
    }
  }
}
