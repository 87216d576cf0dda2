/// The color, the pattern and the mark of a series in a chart. Each is different in all styles.
enum ChartStyle: Int, CaseIterable {
  case blue, orange, green, purple, red, teal

  /// The class that sets the color.
  var colorClass: String { "color-\(self)" }

  /// The lengths of the dashes and gaps of a line, which is continuous without the attribute.
  var dashes: Attribute<PlainElement> {
    switch self {
    case .blue: .none
    case .orange: Attribute("stroke-dasharray", "7 4")
    case .green: Attribute("stroke-dasharray", "2 3")
    case .purple: Attribute("stroke-dasharray", "9 3 2 3")
    case .red: Attribute("stroke-dasharray", "12 5")
    case .teal: Attribute("stroke-dasharray", "5 2 1 2 1 2")
    }
  }

  /// The lines of the pattern that fills a bar, on a tile of 6 by 6; `nil` for a full area.
  private var pattern: String? {
    switch self {
    case .blue: nil
    case .orange: "M-1 7 7 -1M-1 1 1 -1M5 7 7 5"
    case .green: "M3 2v2M2 3h2"
    case .purple: "M0 3h6"
    case .red: "M0 0l6 6M6 0l-6 6"
    case .teal: "M3 0v6"
    }
  }

  /// The outline of the mark at a value, around its center, with a half width of 4.
  private var mark: String {
    switch self {
    case .blue: "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"
    case .orange: "m-3.5 -3.5h7v7h-7z"
    case .green: "m0 -4.5l4.5 8h-9z"
    case .purple: "m0 -5l5 5l-5 5l-5 -5z"
    case .red: "m0 4.5l4.5 -8h-9z"
    case .teal: "m-4 0h8m-4 -4v8"
    }
  }

  /// Returns the definition of the pattern for the bars of a chart, or nothing for a full area.
  @HTMLBuilder func definition(id: String) -> HTML {
    if let pattern {
      Tag<PlainElement>("pattern")(
        .id(patternID(id)), .class(colorClass), Attribute("width", "6"), Attribute("height", "6"),
        Attribute("patternUnits", "userSpaceOnUse")
      ) { path(pattern, .class("stroke")) }
    }
  }

  /// Returns the attributes of a bar.
  func fill(id: String) -> Attribute<PlainElement> {
    pattern == nil ? .class("fill") : Attribute("fill", "url(#\(patternID(id)))")
  }

  /// Returns the mark of a value with its center at a point.
  func mark(x: Double, y: Double) -> HTML {
    path("M\(ChartDrawing.text(x)) \(ChartDrawing.text(y))\(mark)", .class("open"))
  }

  /// Returns the sample in a legend. Assistive technology ignores it.
  func sample(of kind: Chart.Kind, id: String) -> HTML {
    svg(.class(colorClass), .ariaHidden(), Attribute("viewBox", "0 0 32 16")) {
      switch kind {
      case .bars:
        rect(
          .class("column"), fill(id: id), Attribute("x", "1"), Attribute("y", "1"),
          Attribute("width", "30"), Attribute("height", "14"))
      case .lines:
        path("M0 8h32", .class("stroke"), dashes)
        mark(x: 16, y: 8)
      }
    }
  }

  /// Returns a path with its data (<https://www.w3.org/TR/SVG2/paths.html#PathData>).
  private func path(_ data: String, _ attributes: Attribute<PlainElement>...) -> HTML {
    HTML("path", attributes + [Attribute("d", data)], HTML())
  }

  private func patternID(_ id: String) -> String { "\(id)-pattern-\(self)" }
}

let rect = Tag<PlainElement>("rect")
