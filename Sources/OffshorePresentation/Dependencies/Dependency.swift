/// A dependency that an object captures when it is created.
///
/// ```swift
/// final class CharterModel {
///   @Dependency(\.date) private var date
///   func isPast(_ end: Date) -> Bool { end < date() }
/// }
/// ```
///
/// The values set when the object was created apply for its whole life, also in callbacks from
/// other tasks. Values set around a later use override them.
///
/// NB: In an `@Observable` class it needs `@ObservationIgnored`.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let path: any KeyPath<DependencyValues, Value> & Sendable
  private let initial = DependencyValues.current

  /// Creates the dependency at a key path.
  public init(_ path: any KeyPath<DependencyValues, Value> & Sendable) { self.path = path }

  /// The current value of the dependency.
  public var wrappedValue: Value {
    initial.overridden(by: .current)[keyPath: path]
  }
}
