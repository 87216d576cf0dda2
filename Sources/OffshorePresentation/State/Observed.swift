import Observation

/// An observable property of a generic class, as a replacement for `@Observable`.
///
/// ```swift
/// @MainActor final class Choice<Value>: Observable {
///   @Observed private(set) var chosen: Value?
/// }
/// ```
///
/// `@Observable` identifies a property by its key path. In a generic class, each read of the
/// property creates the key path again from the names of the generic types, which takes longer than
/// rendering a row of a list. This wrapper uses the key path of a class that is not generic, which
/// is created once.
///
/// A collection that is changed in place is copied.
@MainActor @propertyWrapper
public final class Observed<Value> {
  private var value: Value
  private let isSame: (Value, Value) -> Bool
  private let mark = ObservationMark()

  /// Creates a property with a value. Setting an equal value notifies no observers, also if the
  /// value is equatable only at run time, such as a `ViewState<Value>` in a generic class.
  public init(wrappedValue: Value) {
    value = wrappedValue
    isSame = { old, new in (old as? any Equatable)?.isEqual(to: new) ?? false }
  }

  /// Creates a property with a value. Setting an equal value notifies no observers.
  public init(wrappedValue: Value) where Value: Equatable {
    value = wrappedValue
    isSame = { $0 == $1 }
  }

  /// The value. Its reads and changes are registered for observation.
  public var wrappedValue: Value {
    get {
      mark.registerRead()
      return value
    }
    set {
      if isSame(value, newValue) {
        value = newValue
      } else {
        mark.registerChange { value = newValue }
      }
    }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

/// The observed object that represents a property, or another part of a state.
@MainActor
final class ObservationMark: Observable {
  private let registrar = ObservationRegistrar()
  /// The represented property. Only its key path is used.
  private var property: Void { () }

  /// Registers that the property is read.
  func registerRead() { registrar.access(self, keyPath: \.property) }

  /// Performs a change of the property, and notifies its observers before and after it.
  func registerChange(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.property, change)
  }

  /// Notifies the observers that the property is about to change.
  func registerStart() { registrar.willSet(self, keyPath: \.property) }

  /// Notifies the observers that the property has changed.
  func registerEnd() { registrar.didSet(self, keyPath: \.property) }
}
