public import Observation
public import Offshore

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
    public let edit: Edit
    public let error: AppError
  }

  /// The edits that could not be stored, until one with the same id is made.
  @Observed public private(set) var failures: [Edit.ID: Failure] = [:]

  /// The value as it was read last.
  private var stored: Value?
  /// The edits that are stored and that the value read last may lack, each with the number of values that
  /// may still come without it.
  private var saved: [Edit.ID: (edit: Edit, count: Int)] = [:]
  private var observed: ObservedValues<Value>?
  /// The callers that wait for a value after the first so many.
  private var waiting: [(count: Int, caller: AsyncStream<Never>.Continuation)] = []
  private lazy var live = makeLive()
  private lazy var changes = makeChanges()
  private let values: @MainActor () -> ObservedValues<Value>
  private let apply: @MainActor (Edit, inout Value) -> Void
  private let store: @MainActor (Edit) async throws -> Void

  /// Creates the edits of a value. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - values: observes the stored value.
  ///   - apply: makes an edit in a value. Edits with different ids must not depend on their order.
  ///   - store: stores an edit, and throws if it is not stored.
  public init(
    _ values: @escaping @MainActor () -> ObservedValues<Value>,
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

  /// Why the value may be out of date, if it may.
  public var refreshError: AppError? { live.refreshError }

  /// Starts to observe, anew if it observed already, and returns when the first value or error is there.
  public func load() async { await live.load() }

  /// Waits until the value contains every write that was answered before the call. Nothing is read for that.
  public func catchUp() async {
    guard let observed else { return }
    let (arrival, caller) = AsyncStream.makeStream(of: Never.self)
    waiting.append((observed.deliverAgain(), caller))
    for await _ in arrival {}
  }

  private func makeLive() -> Live<Value> {
    Live(states: { [weak self, values] receive in
      let observed = values()
      self?.begin(observed)
      var count = 0
      await observed.follow { result in
        count += 1
        self?.receive(result, number: count, receive)
      }
    })
  }

  deinit { for (_, caller) in waiting { caller.finish() } }

  private func begin(_ observed: ObservedValues<Value>) {
    self.observed = observed
    // The first value contains all that is stored by now.
    saved = saved.mapValues { ($0.edit, 0) }
    waiting = waiting.map { (0, $0.caller) }
  }

  private func receive(
    _ result: Result<Value, any Error>, number: Int,
    _ receive: (Result<ViewState<Value>, any Error>) -> Void
  ) {
    switch result {
    case .success(let value):
      saved = saved.filter { $0.value.count >= number }
      stored = value
      let shown = edited(value, by: changes.unsettled)
      // A screen is drawn anew for each value that is set.
      if state.data == shown, refreshError == nil {
        live.letWaitersGo()
      } else {
        receive(.success(.loaded(shown)))
      }
    case .failure(let error): receive(.failure(error))
    }
    for (_, caller) in waiting.filter({ $0.count < number }) { caller.finish() }
    waiting.removeAll { $0.count < number }
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
  public var unsettled: [Edit.ID: Edit] { changes.unsettled }

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
      guard let observed else { return }
      saved[edit.id] = (edit, observed.deliverAgain())
    case .failed(let error):
      failures[edit.id] = Failure(edit: edit, error: AppError(saving: error))
      show(changes.unsettled.filter { $0.key != edit.id })
    }
  }
}
