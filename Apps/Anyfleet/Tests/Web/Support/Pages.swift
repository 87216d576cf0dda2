import Anyfleet
import AnyfleetWeb
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import Testing

/// The pages of an app on an empty database, requested from the router without a socket.
@MainActor
struct Pages {
  let dependencies: AppDependencies
  private let router: Router

  init(_ change: (inout AppDependencies.Environment) -> Void = { _ in }) async throws {
    self.init(try await AppDependencies.makeForTesting(change))
  }

  /// Creates the pages of an existing app.
  /// - Parameter icons: The icons of the pages, by default the same ones on every machine.
  init(_ dependencies: AppDependencies, icons: Icons = .ofPages) {
    self.dependencies = dependencies
    let tabs = TabRegistry(icons: icons)
    // The part of the host's error handling that pages depend on.
    var router = Router(presentError: { error, _ in
      error.asAppError == .database(.notFound)
        ? Response(presenting: HTTPError(.notFound)) : Response(presenting: error)
    })
    router.addLivePages(tabs)
    router.addAnyfleet(dependencies, of: .anyfleet(dependencies, tabs))
    self.router = router
  }

  func get(_ path: String) async -> Response {
    await router.respond(to: Request(.get, path))
  }

  func post(_ path: String, _ fields: Fields, tab: String? = nil) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    if let tab { headers["Offshore-Tab"] = tab }
    return await router.respond(
      to: Request(.post, path, headers: headers, body: Array(fields.encoded.utf8)))
  }

  /// A charter's form, filled in.
  let form: Fields = [
    "entry": UUID().uuidString, "name": "Kornati week", "vessel": "Alma",
    "destination": "Biograd", "region": "",
    "startDate": "2027-06-12", "endDate": "2027-06-19", "guests": "4", "budget": "1200",
    "currency": "EUR", "action": "save",
  ]

  /// Parses an encoded form, in which several fields may have one name.
  func fields(_ encoded: String) -> Fields { Request(.get, "/?" + encoded).query }

  /// Returns the form with one field changed.
  func changed(_ name: String, _ value: String) -> Fields { form.setting(name, value) }

  /// Creates a charter by its form, with all checklists of the library.
  /// - Returns: The path of its page.
  func createCharter() async throws -> String {
    let boxes = await get("/charters/new").text.matches(of: /name="(checklists\.[^"]+)"/)
    let chosen = boxes.map { "&\($0.1)=on" }.joined()
    let fields = fields(form.encoded + chosen)
    let response = await post("/charters/new", fields)
    #expect(response.status == .seeOther)
    return try #require(response.headers["Location"])
  }

  /// - Returns: The path of the first checklist of a charter.
  func checklistPath(_ charter: String) async throws -> String {
    let page = await get(charter).text
    return String(try #require(page.firstMatch(of: /href="([^"]+\/checklists\/[^"]+)"/)?.1))
  }

  /// Whether the row with an id on a page is marked as one with two versions.
  func hasOpenConflict(_ id: String, on path: String) async throws -> Bool {
    let page = await get(path).text
    let row = try #require(page.components(separatedBy: #"id="\#(id)""#).dropFirst().first)
    return row.components(separatedBy: "</a>")[0].contains("2 versions")
  }

  /// The id of the tab that a page is.
  func tabID(_ markup: String) throws -> String {
    String(try #require(markup.firstMatch(of: /data-tab="([^"]+)"/)?.1))
  }

  /// Returns the id of the entry that a form will create.
  func formID(_ markup: String) -> String? {
    markup.firstMatch(of: /name="entry" value="([^"]+)"/).map { String($0.1) }
  }

  /// Returns the ids of the items that can be ticked on a page.
  func itemIDs(_ markup: String) -> [String] {
    markup.matches(of: /<form[^>]* id="item-([^"]+)"/).map { String($0.1) }
  }
}

extension Fields {
  /// The form that ticks an item on the page of a checklist.
  static func tick(_ item: String, _ isOn: String = "true") -> Fields {
    ["action": "tick", "item": item, "isOn": isOn]
  }

  /// The form that changes the note of an item on the page of a checklist.
  static func note(_ item: String, _ note: String, before: String = "") -> Fields {
    ["action": "note", "item": item, "note": note, "noteBefore": before]
  }

  /// The button that changes the condition of an item on the page of a checklist; empty for none.
  static func condition(_ item: String, _ issue: String) -> Fields {
    ["action": "condition", "item": item, "issue": issue]
  }

  /// Returns the fields with the value of a name changed.
  func setting(_ name: String, _ value: String) -> Fields {
    var fields = self
    for index in fields.items.indices where fields.items[index].name == name {
      fields.items[index].value = value
    }
    return fields
  }
}

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

extension Icons {
  /// The names of the icons that pages refer to.
  static let namesOfPages = [
    "arrow-clockwise", "book", "clock-history", "cloud-slash", "cloud-upload", "compass",
    "exclamation-triangle", "house", "journal-check", "list-check", "people", "person", "phone",
    "stack", "wifi-off",
  ]

  /// A drawing of each icon, so that the pages of a test do not depend on the system's icons.
  static let ofPages = Icons(
    Dictionary(uniqueKeysWithValues: namesOfPages.map { ($0, #"<svg viewBox="0 0 16 16"/>"#) }))
}
