public import Foundation

/// A fact beside a log message: a name of the source code with a number, a code, or an id.
public struct LogField: Equatable, Sendable {
  /// What the fact is about.
  public let name: String
  /// The fact, without spaces.
  public let value: String

  private init(_ name: StaticString, _ value: String) {
    self.name = "\(name)"
    self.value = value
  }

  /// A number of things, such as rows.
  public static func count(_ name: StaticString, _ count: Int) -> Self { Self(name, "\(count)") }

  /// A word of the source code.
  public static func code(_ name: StaticString, _ code: StaticString) -> Self {
    Self(name, "\(code)")
  }

  /// An id that the app made, which tells nothing of what it is the id of.
  public static func id(_ name: StaticString, _ id: UUID?) -> Self {
    Self(name, id?.uuidString ?? "none")
  }

  /// The kind of an error: its type, and its code where it has one. Never its message, which may
  /// hold what a person entered.
  public static func kind(of error: any Error) -> Self {
    let type = "\(type(of: error))"
    guard let code = (error as? any LoggableError)?.logCode else { return Self("error", type) }
    return Self("error", "\(type).\(code)")
  }
}

extension LogField: CustomStringConvertible {
  public var description: String { "\(name)=\(value)" }
}

/// An error with a code that says what kind of failure it is.
public protocol LoggableError: Error {
  /// The name of the kind, without any value of the failure.
  var logCode: String { get }
}
