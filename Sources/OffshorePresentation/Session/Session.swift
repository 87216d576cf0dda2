public import Foundation
public import Observation

/// Who is using the app: from the first start on somebody whom only this device knows.
@MainActor @Observable
public final class Session {
  /// The id of who owns what is made here. It was made once, at the first start, and is kept.
  public let userID: UUID

  private init(userID: UUID) { self.userID = userID }

  /// Resumes the session of this device, or begins it at the first start.
  ///
  /// - Parameters:
  ///   - storage: where the id is kept.
  ///   - makeID: makes an id for the first start.
  /// - Throws: what the storage throws.
  public static func start(
    keptBy storage: some SessionStorage, makeID: () -> UUID = UUID.init
  ) async throws -> Session {
    Session(userID: try await storage.userID(firstly: makeID()))
  }
}

/// Keeps the id of a device's user.
public protocol SessionStorage: Sendable {
  /// The id that is kept, or a candidate that is kept from now on where there is none.
  ///
  /// Both happen at once, so that two starts at the same time agree.
  /// - Throws: where the id can be neither read nor kept.
  func userID(firstly candidate: UUID) async throws -> UUID
}
