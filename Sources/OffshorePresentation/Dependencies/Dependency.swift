/// A dependency that an object takes along from where it was made.
///
/// ```swift
/// final class CharterModel {
///   @Dependency(\.date) private var date
///   func isPast(_ end: Date) -> Bool { end < date() }
/// }
/// ```
///
/// What was set when the object was made holds for as long as it lives, also in callbacks that come
/// from elsewhere. What is set around a later use goes first.
///
/// NB: In an `@Observable` class it needs `@ObservationIgnored`.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let path: any KeyPath<DependencyValues, Value> & Sendable
  private let initial = DependencyValues.current

  /// Takes which dependency it is.
  public init(_ path: any KeyPath<DependencyValues, Value> & Sendable) { self.path = path }

  /// The dependency's value now.
  public var wrappedValue: Value {
    initial.overridden(by: .current)[keyPath: path]
  }
}
