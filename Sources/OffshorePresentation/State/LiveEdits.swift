public import Observation

/// A stored value that a screen follows, with the user's edits on top of it while they are being stored.
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
/// await days.settled()  // it is on disk, or `failures` says why not
/// ```
///
/// An edit shows from the moment it is made until a value that was read after it was stored takes its place,
/// so nothing flickers, and changes by others show even if they undo the edit. If it cannot be
/// stored, the stored value shows again. Edits with the same id are stored one after the other, and of
/// those that are made while one is being stored only the last; edits with different ids are stored
/// side by side. After an edit the value is read once, by its observation.
@MainActor
public final class LiveEdits<Value: Equatable & Sendable, Edit: Identifiable & Sendable>: Observable
where Edit.ID: Sendable {
  /// An edit that could not be stored.
  public struct Failure: Sendable {
    /// The edit.
    public let edit: Edit
    /// The reason why it was not stored.
    public let error: AppError
  }

  /// The edits that could not be stored, until one with the same id is made.
  @Observed public private(set) var failures: [Edit.ID: Failure] = [:]

  /// The value as it was read last.
  private var stored: Value?
  /// The edits that are stored and that the value read last may lack, each with the number of arrivals that
  /// may still come without it.
  private var saved: [Edit.ID: (edit: Edit, count: Int)] = [:]
  private lazy var live = makeLive()
  private lazy var changes = makeChanges()
  private let values: @MainActor () -> any AsyncSequence<Value, any Error>
  private let apply: @MainActor (Edit, inout Value) -> Void
  private let store: @MainActor (Edit) async throws -> Void

  /// Creates the edits of a value. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - values: observes the stored value, by a database or a file of the app.
  ///   - apply: makes an edit in a value. Edits with different ids must not depend on their order.
  ///   - store: stores an edit, and throws if it is not stored.
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

  /// The stored value with the edits.
  public var state: ViewState<Value> { live.state }

  /// Whether there is a value; apart from the value as ``Live/isKnown`` is.
  public var isKnown: Bool { live.isKnown }

  /// Why there is no value, if reading it failed; apart from the value.
  public var loadError: AppError? { live.loadError }

  /// Why the value may be out of date, if it may.
  public var refreshError: AppError? { live.refreshError }

  /// Begins to observe, anew if it observed already, and returns when the first value or error is there.
  public func load() async {
    // The first value contains all that is stored by now.
    saved = saved.mapValues { ($0.edit, 0) }
    await live.load()
  }

  /// Waits until the value contains every write that was answered before the call. Nothing is read for that.
  public func catchUp() async { await live.catchUp() }

  private func makeLive() -> Live<Value> {
    Live(values) { [weak self] value, number in
      switch value {
      case .success(let value): self?.receive(value, number)
      case .failure(let error): .failure(error)
      }
    }
  }

  /// - Returns: the state to show, or `nil` if it shows already: a screen is drawn anew for each value that
  ///   is set.
  private func receive(
    _ value: Value, _ number: Int
  ) -> Result<ViewState<Value>, any Error>? {
    saved = saved.filter { $0.value.count >= number }
    stored = value
    let shown = edited(value, by: changes.unsettled)
    return state.data == shown && refreshError == nil ? nil : .success(.loaded(shown))
  }

  private func edited(_ value: Value, by unsettled: [Edit.ID: Edit]) -> Value {
    var value = value
    for (edit, _) in saved.values { apply(edit, &value) }
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
  package var unsettled: [Edit.ID: Edit] { changes.unsettled }

  /// Makes an edit: it shows at once and is then stored, even if the value shows it already.
  public func make(_ edit: Edit) {
    if failures[edit.id] != nil { failures[edit.id] = nil }
    changes.change(edit.id, to: edit)
    show(changes.unsettled)
  }

  /// Refuses an edit. The value stays.
  public func refuse(_ edit: Edit, because error: AppError) {
    failures[edit.id] = Failure(edit: edit, error: error)
  }

  /// Waits until all edits are stored or have failed.
  public func settled() async { await changes.settled() }

  /// Drops the edits that could not be stored.
  public func forgetFailures() { if !failures.isEmpty { failures = [:] } }

  private func makeChanges() -> OptimisticChanges<Edit.ID, Edit> {
    OptimisticChanges { [store] _, edit in
      try await store(edit)
    } ended: { [weak self] _, edit, outcome in
      self?.ended(edit, outcome)
    }
  }

  private func ended(_ edit: Edit, _ outcome: OptimisticChanges<Edit.ID, Edit>.Outcome) {
    switch outcome {
    case .stored:
      if let count = live.deliverAgain() { saved[edit.id] = (edit, count) }
    case .failed(let error):
      failures[edit.id] = Failure(edit: edit, error: AppError(saving: error))
      show(changes.unsettled.filter { $0.key != edit.id })
    }
  }
}
