public import Foundation
public import OffshoreCalendar
import OffshoreHTTP
import OffshorePresentation

/// The path of a page. Its interpolations are values.
///
/// ```swift
/// let path: RoutePath = "lists/\(id)/edit"
/// path.address  // /lists/0B1C…/edit
/// ```
public struct RoutePath: ExpressibleByStringInterpolation, Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case value(String)
  }

  private(set) var parts: [Part]

  /// Creates a path without values.
  public init(stringLiteral value: String) { parts = [.literal(value)] }

  /// Creates a path with values.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The literals and values of a path.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Creates an empty path.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends components as they are written.
    public mutating func appendLiteral(_ literal: String) { parts.append(.literal(literal)) }

    /// Appends components that are the same for every path of a route.
    mutating func appendInterpolation(literal: String) { parts.append(.literal(literal)) }

    /// Appends a value, which is one component.
    public mutating func appendInterpolation(_ value: some RouteValue) {
      parts.append(.value(value.routeText))
    }
  }

  /// The address of the page: the path with percent-encoded values.
  var address: String {
    let text = parts.map { part in
      switch part {
      case .literal(let text): text
      case .value(let text): Self.component(of: text)
      }
    }.joined()
    return text.hasPrefix("/") ? text : "/" + text
  }

  /// Returns a value as one component of an address.
  ///
  /// NB: Browsers remove `.` and `..` from a path, percent-encoded or not. So these have a tilde in front, and
  /// so have values that begin with one.
  private static func component(of value: String) -> String {
    let isMarked = [".", ".."].contains(value) || value.hasPrefix("~")
    return (isMarked ? "~" : "") + value.percentEncoded
  }

  /// Returns the value of a percent-decoded component of an address.
  static func value(of component: String) -> String {
    component.hasPrefix("~") ? String(component.dropFirst()) : component
  }

  /// The path as a router's pattern. Values are parameters named by their positions.
  var pattern: String {
    var count = 0
    return parts.map { part in
      guard case .literal(let text) = part else {
        defer { count += 1 }
        return ":\(count)"
      }
      return text
    }.joined()
  }
}

/// A value in a path or a form that is converted to and from text.
public protocol RouteValue: Sendable {
  /// A sample value, from which the pattern of a path is derived.
  static var sample: Self { get }

  /// Parses a value, or returns `nil` if the text is not valid.
  init?(routeText: String)

  /// The value as text.
  var routeText: String { get }
}

extension String: RouteValue {
  /// An empty text.
  public static var sample: String { "" }
  /// Accepts any text.
  public init?(routeText: String) { self = routeText }
  /// The text itself.
  public var routeText: String { self }
}

extension Int: RouteValue {
  /// Zero.
  public static var sample: Int { 0 }
  /// Parses a number in decimal digits.
  public init?(routeText: String) { self.init(routeText) }
  /// The number in decimal digits.
  public var routeText: String { "\(self)" }
}

extension Bool: RouteValue {
  /// False.
  public static var sample: Bool { false }
  /// Parses `true` or `false`.
  public init?(routeText: String) { self.init(routeText) }
  /// `true` or `false`.
  public var routeText: String { "\(self)" }
}

extension UUID: RouteValue {
  /// The UUID of zeros.
  public static var sample: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  /// Parses the standard form of 36 characters.
  public init?(routeText: String) { self.init(pathParameter: routeText) }
  /// The standard form of 36 characters.
  public var routeText: String { uuidString }
}

extension CalendarDay: RouteValue {
  /// The first day.
  public static var sample: CalendarDay { .first }
  /// Parses `yyyy-MM-dd`.
  public init?(routeText: String) { self.init(routeText) }
  /// The day as `yyyy-MM-dd`.
  public var routeText: String { description }
}

extension CalendarMonth: RouteValue {
  /// The first month.
  public static var sample: CalendarMonth { CalendarMonth(containing: .first) }
  /// Parses `yyyy-MM`.
  public init?(routeText: String) { self.init(routeText) }
  /// The month as `yyyy-MM`.
  public var routeText: String { description }
}

extension RawRepresentable where Self: CaseIterable & Sendable, RawValue == String {
  /// Parses the raw value of a case.
  public init?(routeText: String) { self.init(rawValue: routeText) }
  /// The raw value.
  public var routeText: String { rawValue }
}
