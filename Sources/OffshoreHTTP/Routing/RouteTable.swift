/// A tree of routes by the components of their patterns.
struct RouteTable: Sendable {
  struct Route: Sendable {
    let bodyLimit: Int?
    let handler: Handler
  }

  /// A path that has routes, with the values of its parameters.
  struct Match {
    let parameters: [String: String]
    fileprivate let endpoint: Endpoint

    /// The pattern as it was first added.
    var pattern: String { endpoint.pattern }

    /// Returns the route of a method. The route of `GET` also answers `HEAD`.
    func route(for method: Request.Method) -> Route? {
      let routes = endpoint.routes
      return routes[method] ?? (method == .head ? routes[.get] : nil)
    }

    /// The methods of the path, in the form of the `Allow` field.
    var allowed: String {
      var methods = Set(endpoint.routes.keys)
      if methods.contains(.get) { methods.insert(.head) }
      return methods.map(\.rawValue).sorted().joined(separator: ", ")
    }
  }

  /// The routes of one pattern, and the names of its parameters in their order.
  fileprivate struct Endpoint: Sendable {
    let pattern: String
    let names: [String]
    var routes: [Request.Method: Route] = [:]
  }

  private struct Node: Sendable {
    var endpoint: Endpoint?
    var literals: [String: Int] = [:]
    var parameter: Int?
  }

  /// All routes with their methods and patterns, in the order in which they were added.
  private(set) var list: [(method: Request.Method, pattern: String, route: Route)] = []

  /// The nodes of the tree, whose children are indices. The first is the root.
  private var nodes = [Node()]

  mutating func add(_ route: Route, for method: Request.Method, at pattern: String) {
    var index = 0
    var names: [String] = []
    for component in pattern.split(separator: "/") {
      if component.first == ":" { names.append(String(component.dropFirst())) }
      index = child(of: index, for: String(component))
    }
    var endpoint = nodes[index].endpoint ?? Endpoint(pattern: pattern, names: names)
    precondition(
      endpoint.names == names,
      "The pattern \(pattern) names parameters otherwise than \(endpoint.names). Use the same names."
    )
    precondition(
      endpoint.routes[method] == nil, "There are two routes for \(method) \(pattern). Remove one.")
    endpoint.routes[method] = route
    list.append((method, pattern, route))
    nodes[index].endpoint = endpoint
  }

  /// Returns whether a pattern has a route for any method. Names of parameters are ignored.
  func contains(_ pattern: String) -> Bool {
    var node = nodes[0]
    for component in pattern.split(separator: "/") {
      let child = component.first == ":" ? node.parameter : node.literals[String(component)]
      guard let child else { return false }
      node = nodes[child]
    }
    return node.endpoint != nil
  }

  func match(_ components: [String]) -> Match? {
    var values: [String] = []
    guard let endpoint = endpoint(components[...], from: 0, &values) else { return nil }
    let parameters = Dictionary(zip(endpoint.names, values)) { _, last in last }
    return Match(parameters: parameters, endpoint: endpoint)
  }

  private mutating func child(of index: Int, for component: String) -> Int {
    let isParameter = component.first == ":"
    let known = isParameter ? nodes[index].parameter : nodes[index].literals[component]
    if let known { return known }
    nodes.append(Node())
    let child = nodes.count - 1
    if isParameter {
      nodes[index].parameter = child
    } else {
      nodes[index].literals[component] = child
    }
    return child
  }

  /// Finds the endpoint of a path. Literal components are tried before parameters.
  private func endpoint(
    _ components: ArraySlice<String>, from index: Int, _ values: inout [String]
  ) -> Endpoint? {
    guard let component = components.first else { return nodes[index].endpoint }
    let rest = components.dropFirst()
    if let literal = nodes[index].literals[component],
      let found = endpoint(rest, from: literal, &values)
    {
      return found
    }
    guard let parameter = nodes[index].parameter, !component.isEmpty else { return nil }
    values.append(component)
    if let found = endpoint(rest, from: parameter, &values) { return found }
    values.removeLast()
    return nil
  }
}
