public import Foundation

/// A type whose values stand in paths, as the identifier does in `charters/:id`.
public protocol PathParameter {
  /// The value that the percent-decoded text stands for, or `nil` where it stands for none.
  init?(pathParameter text: String)
}

extension PathParameter where Self: LosslessStringConvertible {
  /// The value of which the text is the description.
  public init?(pathParameter text: String) { self.init(text) }
}

extension PathParameter where Self: RawRepresentable, RawValue == String {
  /// The value of which the text is the raw value.
  public init?(pathParameter text: String) { self.init(rawValue: text) }
}

extension String: PathParameter {}

extension Int: PathParameter {}

extension UUID: PathParameter {
  /// The identifier in its usual form of 36 characters.
  public init?(pathParameter text: String) { self.init(uuidString: text) }
}
