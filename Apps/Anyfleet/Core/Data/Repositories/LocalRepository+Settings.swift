public import Foundation
import Offshore

extension LocalRepository {
  private static let userIDSetting = "userID"

  /// The id of this device's user, or a candidate that is kept from now on where there is none.
  ///
  /// - Throws: ``RepositoryError``: `serializationFailed` where what is kept is no id.
  public func userID(firstly candidate: UUID) async throws -> UUID {
    try await write("userID") { writer in
      guard let kept = try Setting.find(Self.userIDSetting).one(writer) else {
        try Setting(name: Self.userIDSetting, value: candidate.uuidString).insert(writer)
        return candidate
      }
      guard let id = UUID(uuidString: kept.value) else {
        throw RepositoryError.serializationFailed(row: kept.name, column: "value")
      }
      return id
    }
  }
}
