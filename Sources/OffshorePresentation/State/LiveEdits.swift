public import Observation

/// A stored value that a screen observes, overlaid with the user's edits while they are being
/// stored.
///
/// ```swift
/// let days = LiveEdits {
///   store.values { try Day.all.all($0) }
/// } apply: { (edit: DayEdit, days) in
///   days.set(edit.day, edit.status)
/// } store: { edit in
///   try await repository.save(edit)
/// }
/// days.make(DayEdit(monday, .free))
/// days.state  // shows the edit at once
/// await days.settled()  // it is stored, or `failures` has the error
/// ```
///
/// An edit is visible from the moment it is made until a value arrives that was read after the edit
/// was stored. So the screen never shows the former value in between, and shows a later change of
/// another device even if it reverts the edit. If an edit cannot be stored, the stored value
/// becomes visible again.
///
/// Edits with the same id are stored one after the other; of those that are made while one is being
/// stored, only the last is stored. Edits with different ids are stored concurrently. After an edit
/// the value is read once, by its observation.
@MainActor
public final class LiveEdits<Value: Equatable & Sendable, Edit: Identifiable & Sendable>: Observable
where Edit.ID: Sendable {
  /// An edit that could not be stored.
  public struct Failure: Sendable {
    /// The edit.
    public let edit: Edit
    /// The reason why the edit was not stored.
    public let error: AppError
  }

  /// The edits that could not be stored, by id, until another edit with the id is made.
  @Observed public private(set) var failures: [Edit.ID: Failure] = [:]

  /// The value that was read last, without edits.
  private var stored: Value?
  /// The stored edits that the last value may lack, each with the number of arrivals that may still
  /// lack it.
  private var storedEdits: [Edit.ID: (edit: Edit, count: Int)] = [:]
  private lazy var live = makeLive()
  private lazy var changes = makeChanges()
  private let values: @MainActor () -> any AsyncSequence<Value, any Error>
  private let apply: @MainActor (Edit, inout Value) -> Void
  private let store: @MainActor (Edit) async throws -> Void

  /// Creates a value with edits. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - values: returns the sequence of the stored value, from a database or a file of the app.
  ///   - apply: applies an edit to a value. The result must not depend on the order of edits with
  ///     different ids.
  ///   - store: stores an edit, and throws if that fails.
  public init(
    _ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>,
    apply: @escaping @MainActor (Edit, inout Value) -> Void,
    store: @escaping @MainActor (Edit) async throws -> Void
  ) {
    self.values = values
    self.apply = apply
    self.store = store
  }

  // MARK: - Reading

  /// The state of the stored value with the edits applied.
  public var state: ViewState<Value> { live.state }

  /// Whether there is a value; see ``Live/isKnown``.
  public var isKnown: Bool { live.isKnown }

  /// The error of the latest read, if there is no value to show; see ``Live/loadError``.
  public var loadError: AppError? { live.loadError }

  /// The error of the latest refresh, if it failed. The value may then be out of date.
  public var refreshError: AppError? { live.refreshError }

  /// Starts or restarts the observation, and returns when the first value or error has arrived.
  public func load() async {
    // The first value will contain all edits stored so far.
    storedEdits = storedEdits.mapValues { ($0.edit, 0) }
    await live.load()
  }

  /// Waits until the value contains every write that completed before the call, without an
  /// additional read.
  public func catchUp() async { await live.catchUp() }

  private func makeLive() -> Live<Value> {
    Live(values) { [weak self] value, number in
      switch value {
      case .success(let value): self?.receive(value, number)
      case .failure(let error): .failure(error)
      }
    }
  }

  /// - Returns: the new state, or `nil` if it equals the current one, because each assignment
  ///   updates the screen.
  private func receive(
    _ value: Value, _ number: Int
  ) -> Result<ViewState<Value>, any Error>? {
    storedEdits = storedEdits.filter { $0.value.count >= number }
    stored = value
    let shown = edited(value, by: changes.unsettled)
    return state.data == shown && refreshError == nil ? nil : .success(.loaded(shown))
  }

  private func edited(_ value: Value, by unsettled: [Edit.ID: Edit]) -> Value {
    var value = value
    for (edit, _) in storedEdits.values { apply(edit, &value) }
    for edit in unsettled.values { apply(edit, &value) }
    return value
  }

  private func show(_ unsettled: [Edit.ID: Edit]) {
    guard let stored else { return }
    let shown = edited(stored, by: unsettled)
    if state.data != shown { live.show(shown) }
  }

  // MARK: - Editing

  /// The edits that are neither stored nor failed.
  var unsettled: [Edit.ID: Edit] { changes.unsettled }

  /// Makes an edit visible at once, and stores it, even if the value does not change.
  public func submit(_ edit: Edit) {
    if failures[edit.id] != nil { failures[edit.id] = nil }
    changes.change(edit.id, to: edit)
    show(changes.unsettled)
  }

  /// Rejects an edit with an error. The value does not change.
  public func reject(_ edit: Edit, because error: AppError) {
    failures[edit.id] = Failure(edit: edit, error: error)
  }

  /// Waits until all edits are stored or have failed.
  public func settled() async { await changes.settled() }

  /// Removes all ``failures``.
  public func clearFailures() { if !failures.isEmpty { failures = [:] } }

  private func makeChanges() -> OptimisticChanges<Edit.ID, Edit> {
    OptimisticChanges { [store] _, edit in
      try await store(edit)
    } completion: { [weak self] _, edit, outcome in
      self?.finish(edit, outcome)
    }
  }

  private func finish(_ edit: Edit, _ outcome: OptimisticChanges<Edit.ID, Edit>.Outcome) {
    switch outcome {
    case .stored:
      if let count = live.deliverAgain() { storedEdits[edit.id] = (edit, count) }
    case .failed(let error):
      failures[edit.id] = Failure(edit: edit, error: AppError(saving: error))
      show(changes.unsettled.filter { $0.key != edit.id })
    }
  }
}
