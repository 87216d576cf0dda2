import Foundation
import Observation
import OffshorePresentation

/// Changes of one kind to a checklist's items: ticks, notes or issues.
///
/// They lie over what is stored, from being asked for until it has been read again.
@MainActor
final class ItemChanges<Value: Sendable>: Observable {
  /// A change that could not be stored.
  struct Failure {
    let value: Value
    let error: AppError
  }

  /// What could not be stored, by item; until the item is changed again.
  @Observed private(set) var failures: [UUID: Failure] = [:]
  /// What was asked for by item, and is not stored or has not been read again.
  private(set) var shown: [UUID: Value] = [:]
  /// What was stored and has not been read again since.
  private var saved: [UUID: Value] = [:]
  private lazy var changes = makeChanges()
  private let persist: @MainActor (UUID, Value) async throws -> Void
  private let stored: @MainActor () -> Void
  private let changed: @MainActor () -> Void

  /// Takes what stores a value, and what to do at the moment when one is stored, and when
  /// ``shown`` has changed.
  init(
    persist: @escaping @MainActor (UUID, Value) async throws -> Void,
    stored: @escaping @MainActor () -> Void, changed: @escaping @MainActor () -> Void
  ) {
    self.persist = persist
    self.stored = stored
    self.changed = changed
  }

  /// What is on its way to the disk, by item.
  var unsettled: [UUID: Value] { changes.unsettled }

  /// Shows a value at once, and begins to store it.
  func change(_ itemID: UUID, to value: Value) {
    if failures[itemID] != nil { failures[itemID] = nil }
    shown[itemID] = value
    changed()
    changes.change(itemID, to: value)
  }

  /// Says that a value cannot be stored. Nothing is changed.
  func refuse(_ itemID: UUID, _ value: Value, because error: AppError) {
    failures[itemID] = Failure(value: value, error: error)
  }

  /// Waits until all that was asked for is stored or has failed.
  func settled() async { await changes.settled() }

  /// Lets what was read show in place of what was stored before it was read.
  func forgetSaved() {
    saved = [:]
    shown = changes.unsettled
  }

  /// Drops what could not be stored.
  func forgetFailures() { if !failures.isEmpty { failures = [:] } }

  private func makeChanges() -> OptimisticChanges<UUID, Value> {
    OptimisticChanges(persist: persist) { [weak self] itemID, value, outcome in
      self?.ended(itemID, value, outcome)
    }
  }

  private func ended(
    _ itemID: UUID, _ value: Value, _ outcome: OptimisticChanges<UUID, Value>.Outcome
  ) {
    switch outcome {
    case .stored:
      // It shows already, or something newer does.
      saved[itemID] = value
      stored()
    case .failed(let error):
      shown[itemID] = saved[itemID]
      failures[itemID] = Failure(value: value, error: AppError(saving: error))
      changed()
    }
  }
}
