import Dispatch
import Synchronization

/// A hasher of passwords, which runs on a serial queue.
///
/// Each hash needs 64 MiB and a tenth of a second by default. So sign-ins wait for each other, and
/// are refused if too many are waiting.
package final class PasswordHasher: Sendable {
  private let cost: PasswordHash.Cost
  private let queue: DispatchQueue
  private let waiting = Mutex(0)
  private let capacity: Int
  /// The part of the capacity that is not reserved for known users.
  private var capacityForAll: Int { capacity - capacity / 4 }
  /// The hash to compare with if the account does not exist, so that this needs the same time.
  private let decoy: Mutex<PasswordHash?>

  /// The number of characters of a password.
  static let allowedLength = 8...256

  /// Creates a hasher.
  /// - Parameters:
  ///   - cost: the cost of each hash.
  ///   - capacity: the largest number of running and waiting hashes.
  package init(cost: PasswordHash.Cost = .interactive, capacity: Int = 64) {
    self.cost = cost
    self.capacity = capacity
    queue = DispatchQueue(label: "offshore.passwords")
    decoy = Mutex(nil)
  }

  /// Hashes a password.
  /// - Throws: ``AccountError``: `weakPassword` if the password is too short or too long,
  ///   `unavailable` if too many hashes are waiting or memory is short.
  package func hash(_ password: String) async throws -> PasswordHash {
    guard Self.allowedLength ~= password.count, password.utf8.count <= 1_024 else {
      throw AccountError(.weakPassword, "A password has 8 to 256 characters.")
    }
    return try await run(within: capacityForAll) { [cost] in
      try PasswordHash(of: password, cost: cost)
    }
  }

  /// Returns whether a password has a hash. Without a hash, returns `false` after the same work.
  /// - Parameter isKnown: whether the user has signed in from the same network before. A quarter of
  ///   the waiting places is for such users.
  /// - Throws: ``AccountError`` with the code `unavailable` if too many hashes are waiting.
  package func matches(
    _ password: String, _ hash: PasswordHash?, isKnown: Bool = false
  ) async throws -> Bool {
    // No valid password is longer, and hashing a long one would need much time.
    guard password.utf8.count <= 1_024 else { return false }
    return try await run(within: isKnown ? capacity : capacityForAll) { [self] in
      guard let hash else {
        _ = try decoyHash().matches(password)
        return false
      }
      return hash.matches(password)
    }
  }

  private func decoyHash() throws -> PasswordHash {
    try decoy.withLock { decoy in
      if let decoy { return decoy }
      let made = try PasswordHash(of: "", cost: cost)
      decoy = made
      return made
    }
  }

  private func run<Result: Sendable>(
    within limit: Int, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let isTaken = waiting.withLock { waiting in
      guard waiting < limit else { return false }
      waiting += 1
      return true
    }
    guard isTaken else {
      throw AccountError(.unavailable, "Too many sign in at the moment. Try again in a minute.")
    }
    defer { waiting.withLock { $0 -= 1 } }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }
}
