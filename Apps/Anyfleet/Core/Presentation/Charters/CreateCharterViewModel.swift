public import Foundation
public import Observation
public import OffshorePresentation

/// The entry of a new charter.
@MainActor
public final class CreateCharterViewModel: Observable {
  /// The texts that are typed into the form.
  public let draft: Draft<CharterFormState>

  /// Begins an empty form.
  ///
  /// - Parameters:
  ///   - store: stores the charter.
  ///   - charterID: the id that the form was given before, if it was.
  ///   - library: the library with the checklists that the charter may get.
  ///   - language: the language in which amounts are typed.
  ///   - saved: called when the charter is stored, to go back to the list of charters.
  public init(
    store: CharterStore, charterID: UUID? = nil, library: LibraryStore? = nil,
    language: Language = .english,
    saved: @escaping @MainActor (CharterFormState) -> Void = { _ in }
  ) {
    draft = store.draft(new: charterID, library, in: language, saved: saved)
  }

  /// The values that are entered.
  public var form: CharterFormState {
    get { draft.checked().entry }
    set { draft.fill(with: newValue) }
  }

  /// Whether the charter is being stored.
  public var isSaving: Bool { draft.isSaving }
  /// The reason why the charter could not be stored, or `nil`.
  public var saveError: AppError? { draft.saveError }
  /// The problems of the latest save, and advice.
  public var validationErrors: [CharterFormValidation] {
    CharterFormValidation.issues(in: form, draft.problems)
  }
  /// The share of the form's steps done as 0…1.
  public var completionProgress: Double { form.completionProgress }

  /// Stores the charter. A call during a save waits for it and stores nothing else.
  /// - Returns: the stored values, or `nil` if the charter could not be stored.
  @discardableResult
  public func saveCharter() async -> CharterFormState? { await draft.save() }
}
