import Foundation
import OffshoreHTTP

/// The description of a server as an OpenAPI document (<https://spec.openapis.org/oas/v3.1.0>).
enum ServerDescription {
  /// Returns the document for some routes.
  static func document(of routes: [ServerRoute]) -> JSONNode {
    let paths = Dictionary(grouping: routes, by: \.path).mapValues { routes in
      JSONNode.object(
        Dictionary(uniqueKeysWithValues: routes.map { ($0.method.rawValue.lowercased(), $0.node) }))
    }
    return [
      "openapi": "3.1.0", "info": info, "paths": .object(paths),
      "components": [
        "schemas": .object(JSONSchema.components),
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
      ],
    ]
  }

  /// Returns the route for the document of some routes, and of itself.
  static func route(describing routes: [ServerRoute]) -> ServerRoute {
    let tag = ["ETag": "The validator of the document."]
    var route = ServerRoute(
      .get, "v1/openapi.json", "Describes the server.", access: .open,
      parameters: [.header("If-None-Match", "The ETag of the copy that the client has.")],
      answers: [
        .answer(200, "The document.", .json(["type": "object"]), headers: tag),
        .answer(304, "The client's copy is current.", headers: tag),
      ], handler: { _ in .noContent })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = (try? encoder.encode(document(of: routes + [route]))).map(Array.init) ?? []
    let file = StaticFile(bytes, contentType: "application/json")
    route.handler = { file.response(to: $0) }
    return route
  }

  private static let info: JSONNode = [
    "title": "Offshore", "version": "1",
    "summary": "Syncs devices, and tells other clients single rows and blobs.",
    "license": ["name": "MIT", "identifier": "MIT"],
  ]
}

extension ServerRoute {
  /// The path of the route, with parameters in braces.
  var path: String {
    let components = pattern.split(separator: "/").map { component in
      component.first == ":" ? "{\(component.dropFirst())}" : String(component)
    }
    return "/" + components.joined(separator: "/")
  }

  fileprivate var node: JSONNode {
    var members: [String: JSONNode] = [
      "operationId": .string(operationID), "summary": .string(summary),
      "responses": .object(
        Dictionary(uniqueKeysWithValues: allAnswers.map { ("\($0.status)", $0.node) })),
      "security": access == .token ? [["token": []]] : [],
    ]
    if !parameters.isEmpty { members["parameters"] = .array(parameters.map(\.node)) }
    if let body {
      members["requestBody"] = ["required": true, "content": .object([body.type: body.node])]
    }
    return .object(members)
  }

  /// The method and the words of the pattern, for example `getV1TablesRows`.
  private var operationID: String {
    let words = pattern.split { !$0.isLetter && !$0.isNumber }
    return method.rawValue.lowercased()
      + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
  }
}

extension ServerRoute.Content {
  fileprivate var node: JSONNode { schema.map { ["schema": $0] } ?? [:] }
}

extension ServerRoute.Answer {
  fileprivate var node: JSONNode {
    var members: [String: JSONNode] = ["description": .string(about)]
    if !contents.isEmpty {
      members["content"] = .object(
        Dictionary(contents.map { ($0.type, $0.node) }) { first, _ in first })
    }
    if !headers.isEmpty {
      members["headers"] = .object(
        headers.mapValues { ["description": .string($0), "schema": ["type": "string"]] })
    }
    return .object(members)
  }
}

extension ServerRoute.Parameter {
  fileprivate var node: JSONNode {
    [
      "name": .string(name), "in": .string(place.rawValue), "required": .flag(isRequired),
      "description": .string(about), "schema": schema,
    ]
  }
}
