import Observation

/// A property of a generic class that observation follows, in place of `@Observable`.
///
/// ```swift
/// @MainActor final class Choice<Value>: Observable {
///   @Observed private(set) var chosen: Value?
/// }
/// ```
///
/// `@Observable` names a property by its key path, and that of a generic class is made anew from the names of
/// its types whenever the property is read, which takes longer than drawing a row of a list. Here the key
/// path is that of a class that is not generic, and is made once. A collection is copied where it is
/// changed in place.
@MainActor @propertyWrapper
public final class Observed<Value> {
  private var value: Value
  private let isSame: (Value, Value) -> Bool
  private let mark = ObservationMark()

  /// Begins with a value. To be set to an equal value is no change, also if only the type at run time is
  /// equatable, such as `ViewState<Value>` in a generic class.
  public init(wrappedValue: Value) {
    value = wrappedValue
    isSame = { old, new in (old as? any Equatable)?.isEqual(to: new) ?? false }
  }

  /// Begins with a value. To be set to an equal value is no change.
  public init(wrappedValue: Value) where Value: Equatable {
    value = wrappedValue
    isSame = { $0 == $1 }
  }

  /// The value, whose reads and changes observation notes.
  public var wrappedValue: Value {
    get {
      mark.noteRead()
      return value
    }
    set {
      if isSame(value, newValue) { value = newValue } else { mark.noteChange { value = newValue } }
    }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

/// What observation follows in place of a property.
@MainActor
private final class ObservationMark: Observable {
  private let registrar = ObservationRegistrar()
  /// Stands for the property; only its key path is used.
  private var property: Void { () }

  func noteRead() { registrar.access(self, keyPath: \.property) }

  func noteChange(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.property, change)
  }
}
