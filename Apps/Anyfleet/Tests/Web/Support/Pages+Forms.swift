import OffshoreHTTP
import Testing

extension Pages {
  /// Returns the fields that a browser would send for a form of a page, by default the editor's
  /// form.
  func sent(
    by page: String, form id: String = "editor-form", action: String = "save"
  ) throws -> Fields {
    let start = try #require(page.firstRange(of: #"id="\#(id)""#)?.upperBound)
    let end = try #require(page[start...].firstRange(of: "</form>")?.lowerBound)
    let form = page[start..<end]
    let control =
      /(?s)<input([^>]*)>|<(?:textarea|select)([^>]*)>(.*?)<\/(?:textarea|select)>/
    var fields: Fields = [:]
    for match in form.matches(of: control) {
      let attributes = String(match.1 ?? match.2 ?? "")
      let name = String(try #require(attributes.firstMatch(of: /name="([^"]*)"/)).1)
      let value = attributes.firstMatch(of: /value="([^"]*)"/).map { String($0.1) }
      if attributes.contains(#"type="checkbox""#) {
        if attributes.contains(" checked") { fields += [name: "on"] }
      } else {
        let content = match.3 ?? ""
        let chosen = content.firstMatch(of: /value="([^"]*)" selected/).map { String($0.1) }
        fields += [name: unescaped(value ?? chosen ?? String(content))]
      }
    }
    fields += ["action": action]
    return fields
  }

  /// Returns the fields that a browser would send for the undo bar of a page.
  func undo(_ page: String, action: String = "undo-removal") throws -> Fields {
    try sent(by: page, form: "undo-do", action: action)
  }

  /// Returns the fields that a browser would send for an editor's form after a row was added.
  func adding(_ rows: String, to fields: Fields, at path: String) async throws -> Fields {
    let page = await post(path, fields.setting("action", "add:\(rows)")).text
    return try sent(by: page)
  }

  private func unescaped(_ markup: String) -> String {
    markup.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
  }
}

extension Fields {
  static func += (fields: inout Fields, other: Fields) { fields.items += other.items }

  /// Sets the first value of a name, or else the values of all rows whose field has the name.
  mutating func set(_ name: String, _ value: String) {
    if let index = items.firstIndex(where: { $0.name == name }) {
      items[index].value = value
      return
    }
    for index in items.indices where items[index].name.hasSuffix(".\(name)") {
      items[index].value = value
    }
  }

  /// Replaces each empty value by a text.
  func filled(with text: String) -> Fields {
    var fields = self
    for index in fields.items.indices where fields.items[index].value.isEmpty {
      fields.items[index].value = text
    }
    return fields
  }
}
