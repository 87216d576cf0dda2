/// The drawing of a chart, in units of which it is 360 wide: the width of a phone, so that its texts
/// are legible there.
struct ChartDrawing {
  private static let size = (width: 360.0, height: 220.0)
  /// The width of most characters of a text.
  private static let characterWidth = 6.8

  private let id: String
  private let categories: [String]
  private let series: [Chart.Series]
  private let kind: Chart.Kind
  private let scale: ChartScale
  private let tickTexts: [String]
  /// The edges of the area with the values.
  private let left: Double
  private let right = Self.size.width - 8
  private let top = 10.0
  private let bottom = Self.size.height - 24

  init(
    id: String, categories: [String], series: [Chart.Series], kind: Chart.Kind,
    scale: Chart.Scale, format: (Double) -> String
  ) {
    self.id = id
    self.categories = categories
    self.series = series
    self.kind = kind
    self.scale = ChartScale(of: series.flatMap { $0.values.compactMap(\.self) }, scale)
    tickTexts = self.scale.ticks.map(format)
    let longest = tickTexts.map(\.count).max() ?? 0
    left = min(Self.size.width / 3, Double(longest) * Self.characterWidth + 8)
  }

  /// The drawing, with the title and the description of the chart as its name and description.
  var html: HTML {
    svg(
      .role(.img), .ariaLabelledBy("\(id)-title"), .ariaDescribedBy(["\(id)-text"]),
      Attribute("viewBox", "0 0 \(Self.text(Self.size.width)) \(Self.text(Self.size.height))")
    ) {
      if kind == .bars {
        Tag<PlainElement>("defs")() {
          for style in ChartStyle.allCases.prefix(series.count) { style.definition(id: id) }
        }
      }
      ticks
      names
      for (style, series) in zip(ChartStyle.allCases, series) {
        Tag<PlainElement>("g")(.class(style.colorClass)) {
          switch kind {
          case .bars: bars(of: series, style)
          case .lines: line(of: series, style)
          }
        }
      }
      line(left, y(scale.base), right, y(scale.base), "axis")
    }
  }

  // MARK: - Axes

  @HTMLBuilder private var ticks: HTML {
    for (tick, name) in zip(scale.ticks, tickTexts) {
      let y = y(scale.place(of: tick) ?? 0)
      line(left, y, right, y, "grid")
      label(name, left - 4, y + 4, "end")
    }
  }

  /// The names of the categories, so many that they do not overlap.
  @HTMLBuilder private var names: HTML {
    let longest = categories.map(\.count).max() ?? 0
    let width = Double(longest) * Self.characterWidth + 6
    let step = max(1, Int((width / slot).rounded(.up)))
    for (index, name) in categories.enumerated() where index % step == 0 {
      label(name, center(of: index), bottom + 15, "middle")
    }
  }

  private func label(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> HTML {
    Tag<PlainElement>("text")(
      Attribute("x", Self.text(x)), Attribute("y", Self.text(y)), Attribute("text-anchor", anchor)
    ) { text }
  }

  private func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ name: String
  ) -> HTML {
    let pairs = zip(["x1", "y1", "x2", "y2"], [x1, y1, x2, y2])
    return HTML(
      "line", [.class(name)] + pairs.map { Attribute<PlainElement>($0, Self.text($1)) }, HTML())
  }

  // MARK: - Values

  @HTMLBuilder private func bars(of series: Chart.Series, _ style: ChartStyle) -> HTML {
    let width = slot * 0.8 / Double(max(1, self.series.count))
    for index in categories.indices {
      if let place = series.value(at: index).flatMap(scale.place) {
        let (value, base) = (y(place), y(scale.base))
        let x = center(of: index) - slot * 0.4 + width * Double(style.rawValue)
        rect(
          .class("column"), style.fill(id: id), Attribute("x", Self.text(x)),
          Attribute("y", Self.text(min(value, base))), Attribute("width", Self.text(width)),
          Attribute("height", Self.text(abs(value - base))))
      }
    }
  }

  /// The line through the values, which is interrupted at missing ones, and their marks.
  @HTMLBuilder private func line(of series: Chart.Series, _ style: ChartStyle) -> HTML {
    let points = categories.indices.map { index in
      series.value(at: index).flatMap(scale.place).map { (x: center(of: index), y: y($0)) }
    }
    HTML(
      "path",
      [.class("stroke"), Attribute<PlainElement>("d", Self.path(points)), style.dashes], HTML())
    for point in points.compactMap(\.self) { style.mark(x: point.x, y: point.y) }
  }

  private static func path(_ points: [(x: Double, y: Double)?]) -> String {
    var path = ""
    var isFirst = true
    for point in points {
      if let point { path += "\(isFirst ? "M" : "L")\(text(point.x)) \(text(point.y))" }
      isFirst = point == nil
    }
    return path
  }

  // MARK: - Places

  /// The width of a category.
  private var slot: Double { (right - left) / Double(max(1, categories.count)) }

  private func center(of index: Int) -> Double { left + slot * (Double(index) + 0.5) }

  private func y(_ place: Double) -> Double { bottom - place * (bottom - top) }

  /// Returns a length as text, with up to one decimal.
  static func text(_ length: Double) -> String {
    let tenths = Int((length * 10).rounded())
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
  }
}
