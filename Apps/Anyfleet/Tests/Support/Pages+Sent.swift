import OffshoreHTTP
import Testing

extension Pages {
  /// What a browser would send of a form of a page in which nothing is changed.
  func sent(_ page: String, form id: String) throws -> Fields {
    let parts = try #require(page.firstRange(of: #"id="\#(id)""#).map { page[$0.upperBound...] })
    let form = parts.prefix(upTo: try #require(parts.firstRange(of: "</form>")).lowerBound)
    var fields: Fields = [:]
    for control in form.matches(of: /(?s)<input([^>]*)>|<select([^>]*)>(.*?)<\/select>/) {
      let attributes = control.1 ?? control.2 ?? ""
      let name = try #require(attributes.firstMatch(of: /name="([^"]*)"/)).1
      let value =
        control.3.map { $0.firstMatch(of: /value="([^"]*)" selected/)?.1 }
        ?? attributes.firstMatch(of: /\svalue="([^"]*)"/)?.1
      fields.items += ([String(name): Self.unescaped(try #require(value))] as Fields).items
    }
    return fields
  }

  private static func unescaped(_ markup: Substring) -> String {
    String(markup).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
  }
}
