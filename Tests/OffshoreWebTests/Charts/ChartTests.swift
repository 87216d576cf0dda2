import OffshoreHTTP
import Testing

@testable import OffshoreWeb

struct ChartTests {
  private static let texts = Chart.Texts(categories: "Records", table: "The numbers")

  private func chart(
    _ series: [Chart.Series], categories: [String] = ["10", "100", "1,000"],
    kind: Chart.Kind = .bars, scale: Chart.Scale = .linear, title: String = "Time to load"
  ) -> Chart {
    Chart(
      title, id: "load", description: "Files are faster below 1,000.", categories: categories,
      series: series, kind: kind, scale: scale, texts: Self.texts
    ) { "\($0) ms" }
  }

  private let engines = [
    Chart.Series("Files", [0.5, 2, 20]), Chart.Series("Database", [1, nil, 4]),
  ]

  /// Returns the elements of the drawing, each of which ends after its content.
  private func elements(of chart: Chart) throws -> [(name: String, attributes: [String: String])] {
    let markup = chart.html.description
    let svg = try #require(markup.firstMatch(of: /<svg role="img".*?<\/svg>/)).output
    var elements: [(name: String, attributes: [String: String])] = []
    var open: [Substring] = []
    for tag in svg.matches(of: /<(\/?)(\w+)((?: [\w-]+="[^"<>]*")*)>/) {
      let (name, attributes) = (tag.output.2, tag.output.3)
      guard tag.output.1.isEmpty else {
        #expect(open.popLast() == name)
        continue
      }
      open.append(name)
      let pairs = attributes.matches(of: /([\w-]+)="([^"]*)"/)
        .map { (String($0.output.1), String($0.output.2)) }
      elements.append((String(name), Dictionary(uniqueKeysWithValues: pairs)))
    }
    #expect(open.isEmpty)
    return elements
  }

  // MARK: - Texts

  @Test func `A chart has its title and its description, which name and describe the drawing`() {
    let markup = chart(engines).html.description
    #expect(
      markup.hasPrefix(
        #"""
        <figure id="load" class="chart"><figcaption id="load-title">Time to load</figcaption>\#
        <p id="load-text" class="hint">Files are faster below 1,000.</p>\#
        <svg role="img" aria-labelledby="load-title" aria-describedby="load-text"
        """#))
  }

  @Test func `The table has the same data`() throws {
    let markup = chart(engines).html.description
    let table = try #require(markup.firstMatch(of: /<table>.*<\/table>/)).output
    #expect(
      table.hasPrefix(
        #"""
        <table><thead><tr><th scope="col">Records</th><th scope="col">Files</th>\#
        <th scope="col">Database</th></tr></thead><tbody>\#
        <tr><th scope="row">10</th><td>0.5 ms</td><td>1.0 ms</td></tr>\#
        <tr><th scope="row">100</th><td>2.0 ms</td><td>–</td></tr>
        """#))
    #expect(markup.contains("<summary>The numbers</summary>"))
  }

  @Test func `A series with fewer values than categories has missing ones`() {
    let markup = chart([Chart.Series("Files", [1]), Chart.Series("x", [1, .nan, 3, 4])]).html
    #expect(markup.description.contains(#"<th scope="row">1,000</th><td>–</td><td>3.0 ms</td>"#))
    #expect(markup.description.contains(#"<th scope="row">100</th><td>–</td><td>–</td>"#))
  }

  @Test func `Names are escaped wherever they stand`() {
    let names = chart([Chart.Series("<b>", [1])], categories: ["<i>"], title: "\"><script>")
    let markup = names.html.description
    #expect(!markup.contains("<b>") && !markup.contains("<i>") && !markup.contains("<script>"))
  }

  @Test(arguments: [Chart.Kind.bars, .lines])
  func `No rule for other parts of pages applies to a part of a chart`(_ kind: Chart.Kind) throws {
    let markup = chart(engines, kind: kind).html.description
    let names = Set(markup.matches(of: /class="([^"]*)"/).map(\.output.1)).subtracting(["hint"])
    #expect(names.count >= 8)
    let rules = String(decoding: WebAsset.look.file.bytes, as: UTF8.self)
    for name in names { #expect(try !rules.contains(Regex("\\.\(name)(?![\\w-])")), "\(name)") }
  }

  @Test func `Nothing needs an inline style`() {
    for kind in [Chart.Kind.bars, .lines] {
      #expect(!chart(engines, kind: kind).html.description.contains("style"))
    }
  }

  // MARK: - Bars

  @Test func `Each value has a bar in the height of its share`() throws {
    let bars = try elements(of: chart([Chart.Series("Files", [5, nil, 10])]))
      .filter { $0.name == "rect" }
    let heights = bars.compactMap { $0.attributes["height"].flatMap(Double.init) }
    #expect(heights == [93, 186])
    for bar in bars {
      let y = Double(bar.attributes["y"] ?? "") ?? 0
      #expect(y + (Double(bar.attributes["height"] ?? "") ?? 0) == 196)
    }
  }

  @Test func `Bars of negative values are below those of positive ones`() throws {
    let bars = try elements(of: chart([Chart.Series("Balance", [4, -4])], categories: ["a", "b"]))
      .filter { $0.name == "rect" }
    #expect(bars.map { $0.attributes["y"] } == ["10", "103"])
    #expect(bars.map { $0.attributes["height"] } == ["93", "93"])
  }

  @Test func `On a logarithmic scale equal ratios have equal lengths`() throws {
    let values: [Double?] = [10, 100, 1000]
    let bars = try elements(of: chart([Chart.Series("Files", values)], scale: .logarithmic))
      .filter { $0.name == "rect" }
    #expect(bars.map { $0.attributes["height"] } == ["62", "124", "186"])
  }

  @Test func `A value that a logarithmic scale cannot show is only in the table`() throws {
    let zero = chart([Chart.Series("Files", [0, 10, -1])], scale: .logarithmic)
    let bars = try elements(of: zero).filter { $0.name == "rect" }
    #expect(bars.count == 1)
    #expect(zero.html.description.contains("<td>0.0 ms</td>"))
  }

  @Test func `Bars of all series are side by side, and within the drawing`() throws {
    let bars = try elements(of: chart(engines)).filter { $0.name == "rect" }
    let edges = bars.map { bar in
      ["x", "width"].map { Double(bar.attributes[$0] ?? "") ?? -1 }
    }.sorted { $0[0] < $1[0] }
    #expect(bars.count == 5)
    for (bar, next) in zip(edges, edges.dropFirst()) { #expect(bar[0] + bar[1] <= next[0] + 0.11) }
    #expect(edges.allSatisfy { $0[0] >= 0 && $0[0] + $0[1] <= 360 })
  }

  // MARK: - Lines

  @Test func `A line is interrupted at a missing value, and has a mark at each other`() throws {
    let line = chart(
      [Chart.Series("Files", [1, 2, nil, 3])], categories: ["a", "b", "c", "d"], kind: .lines)
    let paths = try elements(of: line).filter { $0.name == "path" }
    let data = try #require(paths.first { $0.attributes["class"] == "stroke" }?.attributes["d"])
    #expect(data.count(where: { $0 == "M" }) == 2 && data.count(where: { $0 == "L" }) == 1)
    #expect(paths.count { $0.attributes["class"] == "open" } == 3)
  }

  // MARK: - Differences

  @Test(arguments: [Chart.Kind.bars, .lines])
  func `Series differ without their colors`(_ kind: Chart.Kind) throws {
    let series = (0..<8).map { Chart.Series("\($0)", [Double($0 + 1)]) }
    let chart = chart(series, categories: ["a"], kind: kind)
    let elements = try elements(of: chart)
    switch kind {
    case .bars:
      let fills = elements.filter { $0.name == "rect" }.map { $0.attributes["fill"] ?? "" }
      #expect(fills.count == 6 && Set(fills).count == 6)
      let patterns = elements.filter { $0.name == "pattern" }.compactMap { $0.attributes["id"] }
      #expect(Set(fills.filter { !$0.isEmpty }) == Set(patterns.map { "url(#\($0))" }))
      let lines = elements.filter { $0.attributes["class"] == "stroke" }
      #expect(Set(lines.compactMap { $0.attributes["d"] }).count == 5)
    case .lines:
      let lines = elements.filter { $0.attributes["class"] == "stroke" }
      #expect(Set(lines.map { $0.attributes["stroke-dasharray"] ?? "" }).count == 6)
      let marks = elements.filter { $0.attributes["class"] == "open" }
      let shapes = marks.compactMap { $0.attributes["d"]?.drop { $0 != "m" } }
      #expect(shapes.count == 6 && Set(shapes).count == 6)
    }
    // All series are in the table.
    #expect(chart.html.description.contains(#"<th scope="col">7</th>"#))
  }

  @Test func `A legend has a sample of each series, and a single series has none`() throws {
    let legend = try #require(
      chart(engines).html.description.firstMatch(of: /<ul class="legend">.*<\/ul>/)
    ).output
    #expect(legend.ranges(of: "<li>").count == 2 && legend.contains("</svg>Database</li>"))
    #expect(legend.contains(#"<svg class="color-orange" aria-hidden="true""#))
    #expect(!chart([Chart.Series("Files", [1])]).html.description.contains("legend"))
  }

  // MARK: - Limits

  @Test func `The names of many categories do not overlap`() throws {
    let days = (1...31).map { "\($0) June" }
    let chart = chart([Chart.Series("Hours", days.map { _ in 8 })], categories: days)
    let names = try elements(of: chart).filter { $0.attributes["text-anchor"] == "middle" }
    #expect((4...8).contains(names.count))
    #expect(chart.html.description.ranges(of: #"<th scope="row">"#).count == 31)
  }

  @Test func `A chart without data is a chart`() throws {
    for kind in [Chart.Kind.bars, .lines] {
      for scale in [Chart.Scale.linear, .logarithmic] {
        let none = chart([], categories: [], kind: kind, scale: scale)
        #expect(try !elements(of: none).isEmpty)
        let empty = chart([Chart.Series("a", [nil])], categories: [], kind: kind, scale: scale)
        #expect(try !elements(of: empty).isEmpty)
      }
    }
  }

  @Test(arguments: [(1.25, "1.3"), (0, "0"), (-0.04, "0"), (-2.5, "-2.5"), (360, "360")])
  func `Lengths have at most one decimal`(_ length: Double, _ text: String) {
    #expect(ChartDrawing.text(length) == text)
  }
}
