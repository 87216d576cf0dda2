import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension LocalRepository {
  /// Writes rows of a charter and logs the outcome, unless this account may only look at it.
  /// - Throws: ``RepositoryError``: `forbidden`.
  func write<Result: Sendable>(
    _ name: StaticString, toCharter id: UUID,
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await write(name) { [store] writer in
      try store.checkMayEdit(AppSchema.scope(ofCharter: id), writer)
      return try body(writer)
    }
  }
}

extension Stamp {
  /// When the edit was made.
  var date: Date { Date(milliseconds: milliseconds) }
}
