public import Foundation

/// A fact in a log entry: a name in the source code with a number, a code or an id.
public struct LogField: Equatable, Sendable {
  /// A value with its type, which JSON distinguishes.
  enum Content: Equatable, Sendable {
    case text(String)
    case count(Int)
    case number(Double)
  }

  /// The name of the fact.
  public let name: String
  let content: Content

  private init(_ name: StaticString, _ content: Content) {
    self.name = "\(name)"
    self.content = content
  }

  private init(_ name: StaticString, _ text: String) { self.init(name, .text(text)) }

  /// The value of the fact.
  public var value: String {
    switch content {
    case .text(let text): text
    case .count(let count): "\(count)"
    case .number(let number): "\(Self.rounded(number))"
    }
  }

  /// Returns a number with three decimals at most.
  static func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }

  /// Creates a field with a number of things, such as rows.
  public static func count(_ name: StaticString, _ count: Int) -> Self { Self(name, .count(count)) }

  /// Creates a field with a measured number, of which three decimals are logged.
  package static func number(_ name: StaticString, _ number: Double) -> Self {
    Self(name, .number(number))
  }

  /// Creates a field with a word of the source code.
  public static func code(_ name: StaticString, _ code: StaticString) -> Self {
    Self(name, "\(code)")
  }

  /// Creates a field with a text that contains nothing a user entered, which the caller ensures.
  package static func text(_ name: StaticString, _ text: String) -> Self { Self(name, text) }

  /// Creates a field with an id that the app created. The id reveals nothing about the thing it
  /// identifies.
  public static func id(_ name: StaticString, _ id: UUID?) -> Self {
    Self(name, id?.uuidString ?? "none")
  }

  /// Creates a field with the kind of an error: its type, and its code if it has one.
  ///
  /// The error's message is not logged, because it may contain user input.
  public static func kind(of error: any Error) -> Self {
    let type = "\(type(of: error))"
    guard let code = (error as? any LoggableError)?.logCode else { return Self("error", type) }
    return Self("error", "\(type).\(code)")
  }
}

extension LogField: CustomStringConvertible {
  public var description: String { "\(name)=\(value)" }
}

/// An error with a code for its kind.
public protocol LoggableError: Error {
  /// The name of the kind. It contains no value of the failure.
  var logCode: String { get }
}
