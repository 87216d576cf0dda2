import OffshoreHTTP
import Testing

extension Pages {
  /// What a browser would send of an editor's form in a page, by one of its buttons.
  func sent(by page: String, action: String = "save") throws -> Fields {
    let form = try #require(page.firstMatch(of: /(?s)<form[^>]*id="editor-form".*?<\/form>/)).0
    let control = /(?s)<input([^>]*)>|<textarea([^>]*)>(.*?)<\/textarea>/
    var fields: Fields = [:]
    for match in form.matches(of: control) {
      let attributes = String(match.1 ?? match.2 ?? "")
      let name = String(try #require(attributes.firstMatch(of: /name="([^"]*)"/)).1)
      let value = attributes.firstMatch(of: /value="([^"]*)"/).map { String($0.1) }
      if attributes.contains(#"type="checkbox""#) {
        if attributes.contains(" checked") { fields += [name: "on"] }
      } else {
        fields += [name: unescaped(value ?? String(match.3 ?? ""))]
      }
    }
    fields += ["action": action]
    return fields
  }

  private func unescaped(_ markup: String) -> String {
    markup.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }
}

extension Fields {
  static func += (fields: inout Fields, other: Fields) { fields.items += other.items }

  /// Changes the first value of a name, or else the values of all rows whose field has the name.
  mutating func set(_ name: String, _ value: String) {
    if let index = items.firstIndex(where: { $0.name == name }) {
      items[index].value = value
      return
    }
    for index in items.indices where items[index].name.hasSuffix(".\(name)") {
      items[index].value = value
    }
  }

  /// The fields with a text in place of each empty one.
  func filled(with text: String) -> Fields {
    var fields = self
    for index in fields.items.indices where fields.items[index].value.isEmpty {
      fields.items[index].value = text
    }
    return fields
  }
}
