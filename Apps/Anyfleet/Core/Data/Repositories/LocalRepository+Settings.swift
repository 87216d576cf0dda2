public import Foundation
import Offshore

extension LocalRepository {
  /// The name under which the id of this device's user is kept.
  static let userIDSetting = "userID"

  /// The id of this device's user, or a candidate that is kept from now on where there is none.
  ///
  /// - Throws: ``RepositoryError``: `serializationFailed` where what is kept is no id.
  public func userID(firstly candidate: UUID) async throws -> UUID {
    try await write("userID") { try Self.userID(firstly: candidate, $0) }
  }

  /// The id of this device's user, or a candidate that is kept from now on.
  static func userID(
    firstly makeCandidate: @autoclosure () -> UUID, _ writer: Writer
  ) throws -> UUID {
    if let kept = try userID(writer) { return kept }
    let candidate = makeCandidate()
    try Setting(name: userIDSetting, value: candidate.uuidString).insert(writer)
    return candidate
  }

  /// The name under which the chosen language is kept.
  static let languageSetting = "language"

  /// What is kept under a name of the source code, if anything is.
  ///
  /// - Throws: ``RepositoryError``.
  func setting(_ name: String) async throws -> String? {
    try await read("setting") { try Setting.find(name).one($0)?.value }
  }

  /// Keeps a value under a name of the source code.
  ///
  /// - Throws: ``RepositoryError``.
  func keepSetting(_ name: String, _ value: String) async throws {
    try await write("keepSetting") { try Setting(name: name, value: value).save($0) }
  }

  /// The id of this device's user, if there is one.
  static func userID(_ reader: Reader) throws -> UUID? {
    guard let kept = try Setting.find(userIDSetting).one(reader) else { return nil }
    guard let id = UUID(uuidString: kept.value) else {
      throw RepositoryError.serializationFailed(row: kept.name, column: "value")
    }
    return id
  }
}
