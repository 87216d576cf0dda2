/// A phrase in which `#` stands for a number.
///
/// A `#` in a value that is put in by interpolation stays one:
/// `"# guests of \(boat)"` is right for a boat named “#2” too.
public struct CountedPhrase: ExpressibleByStringInterpolation, Sendable {
  fileprivate enum Part: Sendable {
    case text(String)
    case number
  }
  private var parts: [Part]

  /// Takes a phrase that holds no values.
  public init(stringLiteral value: String) { parts = Self.parts(of: value) }

  /// Takes a phrase with the values that were put in.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// Collects a literal's pieces, and tells those that were written from those that were put in.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Begins with nothing.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds what was written, with `#` for the number.
    public mutating func appendLiteral(_ literal: String) {
      parts += CountedPhrase.parts(of: literal)
    }

    /// Adds a value as it is.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.text(value.description))
    }
  }

  func text(with count: Int, in language: Language) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .number: Numbers.text(count, in: language)
      }
    }.joined()
  }

  fileprivate static func parts(of literal: String) -> [Part] {
    literal.split(separator: "#", omittingEmptySubsequences: false)
      .map { Part.text(String($0)) }
      .reduce(into: []) { parts, text in parts += parts.isEmpty ? [text] : [.number, text] }
  }
}
