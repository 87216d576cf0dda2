/// A named color of entries in a calendar, with a symbol so that the color is never alone.
///
/// Values are stored and coded by their names. The values of light and dark screens are in the
/// stylesheet of the pages.
public enum CalendarColor: String, CaseIterable, Sendable, Codable {
  case blue, teal, green, olive, orange, red, pink, purple, brown, gray

  /// A symbol that no other color has, for users who do not see the color.
  public var symbol: String {
    switch self {
    case .blue: "●"
    case .teal: "◆"
    case .green: "▲"
    case .olive: "▼"
    case .orange: "■"
    case .red: "★"
    case .pink: "✦"
    case .purple: "✚"
    case .brown: "⬢"
    case .gray: "○"
    }
  }
}
