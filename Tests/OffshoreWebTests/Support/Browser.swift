import Foundation
import OffshoreHTTP
import Testing

@testable import OffshoreWeb

/// The behavior of a browser with a live page, without sockets and rendering.
struct Browser {
  let router: Router

  /// A page as the browser received it.
  struct Opened {
    let html: String
    let tab: String
    let revision: Int
  }

  /// A change as the script receives it.
  struct Change: Decodable, Equatable {
    let op: String
    let target: String
    let html: String
  }

  func open(_ path: String) async throws -> Opened {
    let response = await router.respond(to: Request(.get, path))
    #expect(response.status == .ok)
    return try opened(response)
  }

  func opened(_ response: Response) throws -> Opened {
    let html = response.text
    let tab = try #require(html.firstMatch(of: /data-tab="([^"]+)"/)).output.1
    let revision = try #require(html.firstMatch(of: /data-revision="(\d+)"/)).output.1
    return Opened(html: html, tab: String(tab), revision: try #require(Int(revision)))
  }

  /// Opens the stream of a tab, from a revision on or from the last event that was received.
  func listen(_ tab: String, after revision: Int? = nil, lastEventID: String? = nil) async throws
    -> EventChannel
  {
    let query = revision.map { "?after=\($0)" } ?? ""
    var request = Request(.get, "/live/\(tab)\(query)")
    request.headers["Last-Event-ID"] = lastEventID
    let response = await router.respond(to: request)
    guard case .events(let channel) = response.body else {
      throw HTTPError(response.status, "no stream")
    }
    return channel
  }

  /// Posts a form, from a tab or without the script.
  func post(_ path: String, from tab: String? = nil, _ fields: Fields = [:]) async -> Response {
    var request = Request(.post, path, body: Array(fields.encoded.utf8))
    request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    request.headers["Offshore-Tab"] = tab
    return await router.respond(to: request)
  }
}

extension EventChannel {
  /// Returns the next changes, which arrive at once; anything else fails the test.
  func nextChanges() async throws -> [Browser.Change] {
    let event = try #require(await next())
    #expect(event.event == "patch")
    return try JSONDecoder().decode([Browser.Change].self, from: Data(event.data.utf8))
  }

  /// Returns the next change, if it arrives alone; anything else fails the test.
  func nextChange() async throws -> Browser.Change {
    let changes = try await nextChanges()
    #expect(changes.count == 1)
    return try #require(changes.first)
  }
}
