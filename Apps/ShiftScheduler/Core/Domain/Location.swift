public import Foundation

/// A place at which the user works.
public struct Location: Identifiable, Hashable, Sendable {
  public let id: UUID
  public var name: String
  public var address: String

  /// Creates a location.
  public init(id: UUID = UUID(), name: String, address: String = "") {
    self.id = id
    self.name = name
    self.address = address
  }

  /// The name and the address, as far as they are not empty.
  var line: String { [name, address].filter { !$0.isEmpty }.joined(separator: ", ") }
}

extension Location: Codable {
  /// Decodes a location. A missing address is empty.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    address = try container.decodeIfPresent(String.self, forKey: .address) ?? ""
  }
}
