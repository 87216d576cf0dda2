import Foundation
import OffshoreHTTP

/// The route for the OpenAPI document of the server.
extension SyncServer {
  /// Adds a route for the description of all routes added before, and of itself.
  func addDescription(to router: inout Router) {
    let pattern = "v1/openapi.json"
    let document = ServerDescription.document(of: router.routeList + [(.get, pattern)])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = (try? encoder.encode(document)).map(Array.init) ?? []
    let file = StaticFile(bytes, contentType: "application/json")
    router.get(pattern) { file.response(to: $0) }
  }
}
