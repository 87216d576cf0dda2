public import Foundation

/// A type whose values can be components of a path, as the id in `charters/:id`.
public protocol PathParameter {
  /// Parses a percent-decoded component, or returns `nil` if it is not a value of the type.
  init?(pathParameter text: String)
}

extension PathParameter where Self: LosslessStringConvertible {
  /// Creates the value whose description is the text.
  public init?(pathParameter text: String) { self.init(text) }
}

extension PathParameter where Self: RawRepresentable, RawValue == String {
  /// Creates the value whose raw value is the text.
  public init?(pathParameter text: String) { self.init(rawValue: text) }
}

extension String: PathParameter {}

extension Int: PathParameter {}

extension UUID: PathParameter {
  /// Parses the usual form of 36 characters.
  public init?(pathParameter text: String) { self.init(uuidString: text) }
}
