public import Foundation
public import OffshorePresentation

/// A screen on which something of the library is written.
@MainActor
public protocol EntryWriting: AnyObject {
  associatedtype Form: EntryForm

  /// Whether it is something new.
  var isNew: Bool { get }

  /// Holds what is entered, and saves it.
  var editor: EntryEditor<Form> { get }

  /// Why there is nothing to change, where it could not be read.
  var loadError: AppError? { get }

  /// Fills the form with what is stored, once; what is entered then stays.
  func load() async
}

extension EntryWriting {
  /// The id under which it is stored, so that saving a form twice stores one.
  public var entryID: UUID { editor.id }

  /// What is entered.
  public var form: Form {
    get { editor.form }
    set { editor.form = newValue }
  }

  /// Whether the form has what is stored, so that it can be changed.
  public var isFilled: Bool { editor.isFilled }

  /// Whether what is entered is on its way to the disk.
  public var isSaving: Bool { editor.isSaving }

  /// Why it could not be saved, where it could not.
  ///
  /// `SyncError.conflict` and `DatabaseFailure.notFound` say that it was changed or deleted meanwhile;
  /// saving again then replaces that.
  public var saveError: AppError? { editor.saveError }

  /// What kept the form from being saved when that was last tried.
  public var validationErrors: [EntryProblem<Form.Field>] { editor.validationErrors }

  /// What keeps a field from being saved, where that was tried.
  public func problem(_ field: Form.Field) -> LocalizedText? {
    validationErrors.first { $0.field == field }?.message
  }

  /// Takes what was entered on a screen that is gone; nothing needs to be read for it.
  public func restore(_ form: Form) { editor.fill(form) }

  /// Saves what is entered, unless the form does not allow it.
  ///
  /// A call while that is being saved waits, and saves what was entered since.
  ///
  /// - Returns: what is stored, or `nil` where it could not be saved; the form stays as it is.
  @discardableResult
  public func save() async -> Form.Entry? { await editor.save() }
}
