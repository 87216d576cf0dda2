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

/// A key of a dependency, with its values in an app, in previews and in tests.
///
/// ```swift
/// private enum MailerKey: DependencyKey {
///   static let liveValue: any Mailer = ServerMailer()
///   static let previewValue: any Mailer = SilentMailer()
/// }
///
/// extension DependencyValues {
///   var mailer: any Mailer {
///     get { self[MailerKey.self] }
///     set { self[MailerKey.self] = newValue }
///   }
/// }
/// ```
///
/// The values are read at each use. Declare them as `static let` if they have an identity.
public protocol DependencyKey {
  /// The type of the dependency.
  associatedtype Value: Sendable

  /// The value for the running app.
  static var liveValue: Value { get }

  /// The value for previews, without a server or stored data; ``liveValue`` by default.
  static var previewValue: Value { get }

  /// The value for tests that set none; `nil` by default. If it is `nil`, a test that uses the
  /// dependency without setting it fails.
  static var testValue: Value? { get }

  /// The name of the dependency in messages; the type's name without “Key” by default.
  static var name: String { get }
}

extension DependencyKey {
  public static var previewValue: Value { liveValue }
  public static var testValue: Value? { nil }

  public static var name: String {
    // NB: Optimized code writes a private type as "(ClockKey in _5FE8C9F7)".
    let type = "\(Self.self)".drop { $0 == "(" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let stem = type.hasSuffix("Key") ? type.dropLast(3) : type
    return stem.prefix(1).lowercased() + stem.dropFirst()
  }
}
