/// Names something that code depends on, and says what it is where nobody sets it.
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
/// The values are asked for at each use; make them `static let` where they have an identity.
public protocol DependencyKey {
  associatedtype Value: Sendable

  /// The value that the app runs with.
  static var liveValue: Value { get }

  /// The value for looking at screens, with no server and nothing stored; the live one unless stated.
  static var previewValue: Value { get }

  /// The value for tests that set none. Where it is `nil`, which it is unless stated, a test that
  /// uses the dependency without setting it fails.
  static var testValue: Value? { get }

  /// What the dependency is called in messages; the type's name without “Key” unless stated.
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
