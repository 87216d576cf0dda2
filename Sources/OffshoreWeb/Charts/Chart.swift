/// A chart of bars or lines, with a description and a table of the same data.
///
/// ```swift
/// Chart(
///   "Time to load", id: "load", description: "Files are faster below 1,000 records.",
///   categories: ["10", "100", "1,000"],
///   series: [
///     Chart.Series("Files", [0.2, 1.4, 14]), Chart.Series("Database", [0.6, 0.7, 1.1]),
///   ],
///   scale: .logarithmic, texts: texts) { "\($0) ms" }
/// ```
///
/// Series differ by pattern, or by dashes and marks, and not by color alone. A page with a chart has
/// the stylesheet ``Stylesheet/calendar``.
public struct Chart: Component {
  /// The kind of drawing.
  public enum Kind: Sendable {
    /// A bar for each value, from zero or from the lower end of a logarithmic scale.
    case bars
    /// A line through the values of each series, with a mark at each.
    case lines
  }

  /// The scale of the values.
  public enum Scale: Sendable {
    /// Equal differences have equal lengths. The scale contains zero.
    case linear
    /// Equal ratios have equal lengths. Values that are not above zero are only in the table.
    case logarithmic
  }

  /// Values with a name, one for each category.
  public struct Series: Sendable {
    let name: String
    let values: [Double?]

    /// Creates a series.
    /// - Parameters:
    ///   - name: the name in the legend and in the table.
    ///   - values: the values in the order of the categories; `nil` and numbers that are not finite
    ///     are missing.
    public init(_ name: String, _ values: [Double?]) {
      self.name = name
      self.values = values.map { $0.flatMap { $0.isFinite ? $0 : nil } }
    }

    /// The value of a category, or `nil` if it is missing.
    func value(at index: Int) -> Double? {
      values.indices.contains(index) ? values[index] : nil
    }
  }

  /// The words of a chart in the language of the page.
  public struct Texts: Sendable {
    let categories: String
    let table: String

    /// Creates the words.
    /// - Parameters:
    ///   - categories: the heading of the categories in the table, such as “Records”.
    ///   - table: the title of the part with the table, such as “The numbers”.
    public init(categories: String, table: String) {
      self.categories = categories
      self.table = table
    }
  }

  /// The maximum number of series in the drawing. Further ones are only in the table.
  static let maximumSeries = ChartStyle.allCases.count

  private let title: String
  private let id: String
  private let description: String
  private let categories: [String]
  private let series: [Series]
  private let kind: Kind
  private let scale: Scale
  private let texts: Texts
  private let format: (Double) -> String

  /// Creates a chart.
  /// - Parameters:
  ///   - title: the title, which is the accessible name of the drawing.
  ///   - id: the id of the chart; the ids of its parts begin with it.
  ///   - description: a sentence about the result that the data shows, for users who do not see it.
  ///   - categories: the names of the categories, in the order of the values.
  ///   - series: the series, of which the first six are drawn.
  ///   - kind: the kind of drawing.
  ///   - scale: the scale of the values.
  ///   - texts: the words in the language of the page.
  ///   - format: returns a value as text, with its unit.
  public init(
    _ title: String, id: String, description: String, categories: [String], series: [Series],
    kind: Kind = .bars, scale: Scale = .linear, texts: Texts,
    format: @escaping (Double) -> String
  ) {
    self.title = title
    self.id = id
    self.description = description
    self.categories = categories
    self.series = series
    self.kind = kind
    self.scale = scale
    self.texts = texts
    self.format = format
  }

  /// The title, the description, the drawing, the legend, and the table.
  public var html: HTML {
    let drawing = ChartDrawing(
      id: id, categories: categories, series: Array(series.prefix(Self.maximumSeries)),
      kind: kind, scale: scale, format: format)
    figure(.id(id), .class("chart")) {
      figcaption(.id("\(id)-title")) { title }
      p(.id("\(id)-text"), .class("hint")) { description }
      drawing.html
      if series.count > 1 { legend }
      details(.id("\(id)-data")) {
        summary { texts.table }
        div(.class("data"), .role(.group), .ariaLabel(title), .tabindex(0)) { data }
      }
    }
  }

  private var legend: HTML {
    ul(.class("legend")) {
      for (style, series) in zip(ChartStyle.allCases, series) {
        li {
          style.sample(of: kind, id: id)
          series.name
        }
      }
    }
  }

  private var data: HTML {
    table {
      thead {
        tr {
          th(.scope(.col)) { texts.categories }
          for series in series { th(.scope(.col)) { series.name } }
        }
      }
      tbody {
        for (index, category) in categories.enumerated() {
          tr {
            th(.scope(.row)) { category }
            for series in series { td { series.value(at: index).map(format) ?? "–" } }
          }
        }
      }
    }
  }
}

private let figure = Tag<PlainElement>("figure")
private let figcaption = Tag<PlainElement>("figcaption")
