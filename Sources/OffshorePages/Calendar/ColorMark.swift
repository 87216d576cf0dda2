public import OffshoreCalendar
public import OffshorePresentation
public import OffshoreWeb

/// A symbol in a color, such as that of a calendar entry.
///
/// A page with it has the stylesheet `Stylesheet.calendar`.
public struct ColorMark: Component {
  private let color: CalendarColor
  private let symbol: String
  private let label: String?

  /// Creates a mark.
  ///
  /// - Parameters:
  ///   - symbol: the symbol; by default that of the color.
  ///   - label: the text that a screen reader reads; `nil` if a text beside the mark has the same
  ///     meaning.
  public init(_ color: CalendarColor, symbol: String? = nil, label: String? = nil) {
    self.color = color
    self.symbol = symbol ?? color.symbol
    self.label = label
  }

  /// The mark.
  public var html: HTML {
    span(
      .class("color-mark", color.cssClass), label == nil ? .ariaHidden() : .role(.img),
      label.map { .ariaLabel($0) } ?? .none
    ) { symbol }
  }
}

extension CalendarColor {
  /// The class of an element whose custom property `--tone` is the color, in pages with the
  /// stylesheet `Stylesheet.calendar`.
  public var cssClass: String { "color-\(rawValue)" }
}

extension RadioField {
  /// Creates a choice between the colors of calendar entries, each with its symbol and its name.
  ///
  /// - Parameters:
  ///   - title: the legend.
  ///   - name: the name under which the color's name is sent.
  ///   - value: the name of the chosen color.
  ///   - say: the localizer of the names.
  public init(
    colors title: String, name: String, value: String, hint: String? = nil, error: String? = nil,
    _ say: Localizer
  ) {
    self.init(
      title, name: name, value: value,
      choices: CalendarColor.allCases.map { color in
        Choice(color.rawValue, say(color.title), mark: ColorMark(color).html)
      }, hint: hint, error: error)
  }
}
