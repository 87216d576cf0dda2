import OffshoreHTTP
import OffshoreWire

/// The parsed body of a request about a row, with values as JSON.
struct RowBody: Hashable, Sendable {
  /// The scope, if the body has one.
  private(set) var scope: ScopeID?
  /// The id, if the body has one.
  private(set) var id: String?
  /// The values by column.
  private(set) var values: [String: [UInt8]] = [:]
  /// The increments of counters by column.
  private(set) var increments: [String: [UInt8]] = [:]

  /// Parses the body of a request.
  /// - Parameter keys: the members that the body may have.
  /// - Throws: `ResourceError` with the code `malformed`, or `unsupportedMediaType` if the body is
  ///   not JSON.
  init(_ request: Request, keys: Set<String>) throws {
    guard request.mediaType == "application/json" else {
      throw ResourceError(
        .unsupportedMediaType, "unsupportedMediaType", "Send JSON, as application/json.")
    }
    let members = try Self.members(request.body, "The body is no JSON object.")
    for (key, json) in members.sorted(by: { $0.key < $1.key }) {
      guard keys.contains(key) else {
        throw ResourceError.malformed(
          "The body has one of \(keys.sorted().joined(separator: ", ")) each, and nothing else.")
      }
      try read(key, json)
    }
  }

  private mutating func read(_ key: String, _ json: [UInt8]) throws {
    switch key {
    case "scope": scope = try Self.scope(try Self.text(json, key))
    case "id": id = try Self.text(json, key)
    case "values": values = try Self.members(json, Self.rule("values"))
    default: increments = try Self.members(json, Self.rule("increments"))
    }
  }

  private static func text(_ json: [UInt8], _ key: String) throws(ResourceError) -> String {
    do throws(Rejection) {
      return try ValueText.string(json, key)
    } catch {
      throw ResourceError(error)
    }
  }

  private static func rule(_ name: String) -> String {
    "The \(name) are an object, by column, with \(WireLimits.fieldsPerOp) members at the most."
  }

  /// Parses a scope.
  /// - Throws: `ResourceError` with the code `malformed`.
  static func scope(_ text: String) throws -> ScopeID {
    do throws(WireError) {
      return try ScopeID(text)
    } catch {
      throw ResourceError.malformed(error.message, field: "scope")
    }
  }

  private static func members(_ json: [UInt8], _ message: String) throws -> [String: [UInt8]] {
    let compound = CompoundValue(.text(json), .object, upTo: WireLimits.fieldsPerOp)
    guard compound.shell == "{}" else { throw ResourceError.malformed(message) }
    return compound.parts.compactMapValues { value in
      guard case .text(let bytes) = value else { return nil }
      return bytes
    }
  }
}
