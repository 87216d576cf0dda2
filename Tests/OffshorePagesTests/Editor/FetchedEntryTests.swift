import Foundation
import OffshoreFiles
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import Testing

@testable import OffshorePages

/// A form whose entry is fetched and saved by closures, while others edit it.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct FetchedEntryTests {
  enum Route: PageRoute {
    case edit(UUID)
    var path: RoutePath {
      switch self {
      case .edit(let id): "trips/\(id)/edit"
      }
    }
    static let all: [RouteCase<Route>] = [RouteCase(Route.edit)]
  }

  @MainActor private final class Trips {
    let group = MemoryGroup<TripChange>()
    /// An edit by others, between the next fetch and its save.
    var edit: Trip?

    func save(_ before: Trip?, _ after: Trip) throws {
      if let edit {
        self.edit = nil
        try group.perform(.save(edit))
      }
      try group.perform(.apply([.trip(ElementEdit(before, after))]))
    }
  }

  private let trips = Trips()
  private let trip = Trip(title: "Vis", place: "Kut")

  /// Sends the form with another title, while the entry is edited.
  private func save(_ title: String, during edit: Trip) async throws -> Response {
    try trips.group.perform(.save(trip))
    let fields: [DraftField<Trip>] = [
      .line("title", \.title, label: LocalizedText(verbatim: "Title")),
      .line("place", \.place, label: LocalizedText(verbatim: "Place")),
    ]
    let app = try await SampleApp(addPages: { [trips] router, frame in
      router.addPages(Route.self, of: frame) { route, _ in
        let id: UUID =
          switch route {
          case .edit(let id): id
          }
        return EditorPage(frame, in: "lists", back: PageLink("Trips", to: "/"), fields, of: id) {
          Trip(id: $0, title: "", place: "")
        } fetch: { id in
          try trips.group.load(Trip.self).first { $0.id == id }
        } save: { before, after in
          try trips.save(before, after)
        } next: { _ in
          "/"
        }
      }
    })
    let path = Route.edit(trip.id).address
    let rest = await app.get(path).text.split(separator: "id=\"editor-form\"").last
    let markup = try #require(rest?.split(separator: "</form>").first)
    var form: Fields = ["title": title, "place": trip.place, "action": "save"]
    for field in markup.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/) {
      form.items += Fields(dictionaryLiteral: (String(field.1), String(field.2))).items
    }
    trips.edit = edit
    return await app.post(path, form)
  }

  @Test func `An edit of another field between the fetch and the save is merged`() async throws {
    var other = trip
    other.place = "Komiža"
    #expect(try await save("Hvar", during: other).status == .seeOther)
    let saved = try trips.group.load(Trip.self)
    #expect(saved == [Trip(id: trip.id, title: "Hvar", place: "Komiža")])
  }

  @Test func `An edit of the same field between the fetch and the save is a conflict`()
    async throws
  {
    var other = trip
    other.title = "Brač"
    #expect(try await save("Hvar", during: other).status == .unprocessableContent)
    #expect(try trips.group.load(Trip.self) == [other])
  }
}

private struct Trip: LoggedElement {
  var id = UUID()
  var title: String
  var place: String

  static let fileName = "trips.json"

  static func edit(_ edit: ElementEdit<Self>) -> TripEdit { .trip(edit) }
}

private enum TripEdit: LoggedEdit {
  case trip(ElementEdit<Trip>)

  static let elementTypes: [any LoggedElement<TripEdit>.Type] = [Trip.self]

  var typed: any TypedEdit<TripEdit> {
    switch self {
    case .trip(let edit): edit
    }
  }
}

private struct TripChange: LoggedChange {
  let id: UUID
  var moment: Date
  var edits: [TripEdit]

  static let fileName = "changes.json"
  static let logLimit = 100
}
