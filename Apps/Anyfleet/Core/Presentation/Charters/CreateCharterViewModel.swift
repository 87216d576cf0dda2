public import Foundation
public import Observation
public import OffshorePresentation

/// Entering a new charter.
@MainActor @Observable
public final class CreateCharterViewModel {
  /// What is entered.
  public var form = CharterFormState()
  /// Whether the charter is on its way to the disk.
  public private(set) var isSaving = false
  /// Why the charter could not be saved, where it could not.
  public private(set) var saveError: AppError?
  /// What kept the form from being saved when that was last tried, and what is advised.
  public private(set) var validationErrors: [CharterFormValidation] = []
  /// The charter, once it is saved.
  public private(set) var savedCharter: CharterModel?

  private let store: CharterStore
  private let calendar: @MainActor () -> Calendar
  private let saved: @MainActor (CharterModel) -> Void

  /// Takes what the screen needs.
  ///
  /// - Parameters:
  ///   - store: stores the charter.
  ///   - calendar: the calendar by whose days the end may not lie before the start.
  ///   - saved: called when the charter is saved, to go back to the list of charters.
  public init(
    store: CharterStore, calendar: @escaping @MainActor () -> Calendar = { .autoupdatingCurrent },
    saved: @escaping @MainActor (CharterModel) -> Void = { _ in }
  ) {
    self.store = store
    self.calendar = calendar
    self.saved = saved
  }

  /// The share of the form's steps done as 0…1.
  public var completionProgress: Double { form.completionProgress }

  /// The steps that are still to do, for a summary.
  public var missingSteps: [CharterFormState.Step] { form.missingSteps }

  /// Saves the charter, unless the form does not allow it, it is being saved, or it is saved.
  ///
  /// - Returns: the charter where this call saved it.
  @discardableResult
  public func saveCharter() async -> CharterModel? {
    guard !isSaving, savedCharter == nil else { return nil }
    validationErrors = CharterFormValidation.issues(in: form, calendar: calendar())
    saveError = nil
    guard !validationErrors.contains(where: \.isBlocking), let startDate = form.startDate,
      let endDate = form.endDate
    else { return nil }
    isSaving = true
    defer { isSaving = false }
    do {
      let charter = try await store.createCharter(
        name: form.name, boatName: form.vessel, location: form.destination, startDate: startDate,
        endDate: endDate, region: form.region, guests: form.guests, crew: form.crew,
        budget: form.budget)
      savedCharter = charter
      saved(charter)
      return charter
    } catch {
      saveError = AppError(saving: error)
      return nil
    }
  }
}
