import Foundation
import OffshoreHTTP
import Testing

@testable import OffshoreWeb

@MainActor struct CalendarStylesheetTests {
  @Test func `A page with the stylesheet loads it and the script after those of all pages`() throws
  {
    var page = Page("Calendar")
    page.stylesheets = [.calendar]
    let html = String(decoding: page.bytes(below: "/shifts"), as: UTF8.self)
    let files = html.matches(of: /(?:href|src)="(\/assets\/[^"]*)"/).map { String($0.output.1) }
    let names = files.map { $0.replacing(/\/assets\/|-\w+/, with: "") }
    #expect(names == ["look.css", "calendar.css", "live.js", "calendar.js"])
    #expect(!String(decoding: Page("Other").bytes, as: UTF8.self).contains("calendar"))
  }

  @Test func `The device serves both, to be kept for good, and only to its user`() async throws {
    let app = CounterApp()
    let token = LaunchToken(device: "1", secret: "s")
    for asset in [WebAsset.calendarRules, .calendarScript] {
      let request = Request(.get, asset.address)
      let response = await app.router.respond(to: request)
      #expect(response.status == .ok && response.bytes == asset.file.bytes)
      #expect(response.headers["Cache-Control"]?.contains("immutable") == true)
      var guarded = app.router
      guarded.middleware = [token.middleware]
      #expect(await guarded.respond(to: request).status == .unauthorized)
    }
  }

  @Test func `Stylesheet and script together are smaller than 8 KiB`() {
    let assets = [WebAsset.calendarRules, .calendarScript]
    #expect(assets.map(\.file.bytes.count).reduce(0, +) < 8 * 1_024)
  }

  // MARK: - Contrast

  /// The background colours of pages and cards, for light and dark screens.
  private static let backgrounds = (light: ["#f4f6f7", "#ffffff"], dark: ["#0e151b", "#17212a"])

  /// Returns the relative luminance of a colour
  /// (<https://www.w3.org/TR/WCAG22/#dfn-relative-luminance>).
  private func luminance(_ color: some StringProtocol) throws -> Double {
    let number = try #require(Int(color.dropFirst(), radix: 16))
    let parts = [number >> 16, number >> 8 & 255, number & 255].map { part in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func contrast(_ one: some StringProtocol, _ other: some StringProtocol) throws -> Double {
    let (one, other) = (try luminance(one), try luminance(other))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  @Test func `Each color has enough contrast on light and dark backgrounds`() throws {
    let rules = String(decoding: WebAsset.calendarRules.file.bytes, as: UTF8.self)
    let colors = rules.matches(
      of: /\.color-(\w+)\{--tone:light-dark\((#\w{6}),(#\w{6})\)\}/)
    #expect(colors.count == 10)
    #expect(Set(ChartStyle.allCases.map(\.colorClass)).isSubset(of: colors.map { "color-\($0.1)" }))
    for color in colors {
      for background in Self.backgrounds.light {
        #expect(try contrast(color.2, background) >= 4.5, "\(color.1) on \(background)")
      }
      for background in Self.backgrounds.dark {
        #expect(try contrast(color.3, background) >= 4.5, "\(color.1) on \(background)")
      }
    }
  }

  @Test func `The backgrounds are those of all pages`() {
    let look = String(decoding: WebAsset.look.file.bytes, as: UTF8.self)
    let (light, dark) = Self.backgrounds
    #expect(look.contains("--paper:light-dark(\(light[0]),\(dark[0]))"))
    #expect(look.contains("--card:light-dark(\(light[1]),\(dark[1]))"))
  }
}
