import OffshoreHTTP

/// The description of the server as an OpenAPI document (<https://spec.openapis.org/oas/v3.1.0>).
///
/// It lists the operations by hand. A test checks that every route is described.
enum ServerDescription {
  /// The operations of all routes that a server may have.
  static let operations =
    Operation.sync + Operation.accounts + Operation.members + Operation.rows + Operation.blobs
    + Operation.health

  /// Returns the document for the routes of a router.
  static func document(of routes: [(method: Request.Method, pattern: String)]) -> JSONNode {
    let served = operations.filter { operation in
      routes.contains { $0 == (operation.method, operation.pattern) }
    }
    let paths = Dictionary(grouping: served, by: \.path).mapValues { operations in
      JSONNode.object(
        Dictionary(
          uniqueKeysWithValues: operations.map { ($0.method.rawValue.lowercased(), $0.node) }))
    }
    return [
      "openapi": "3.1.0", "info": info, "paths": .object(paths),
      "components": [
        "schemas": .object(Schema.components),
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
      ],
    ]
  }

  private static let info: JSONNode = [
    "title": "Offshore", "version": "1",
    "summary": "Syncs devices, and tells other clients single rows and blobs.",
    "license": ["name": "MIT", "identifier": "MIT"],
  ]
}

extension Operation {
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
      "security": isOpen ? [] : [["token": []]],
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

extension Operation.Content {
  fileprivate var node: JSONNode { schema.map { ["schema": $0] } ?? [:] }
}

extension Operation.Answer {
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

extension Operation.Parameter {
  fileprivate var node: JSONNode {
    [
      "name": .string(name), "in": .string(place.rawValue), "required": .flag(isRequired),
      "description": .string(about), "schema": schema,
    ]
  }
}
