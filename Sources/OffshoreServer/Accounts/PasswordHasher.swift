import Dispatch
import Synchronization

/// Hashes and compares passwords on a thread of its own, one at a time.
///
/// Each takes 64 MiB and a tenth of a second, so those who sign in at once wait for each other, and
/// beyond a number they are told to come back.
public final class PasswordHasher: Sendable {
  private let cost: PasswordHash.Cost
  private let queue: DispatchQueue
  private let waiting = Mutex(0)
  private let capacity: Int
  /// What is compared where there is no account, so that this takes as long.
  private let decoy: Mutex<PasswordHash?>

  /// How many characters a password has.
  public static let allowedLength = 8...256

  /// Takes how much a hash may cost.
  /// - Parameters:
  ///   - cost: what each takes.
  ///   - capacity: how many may be under way or wait.
  public init(cost: PasswordHash.Cost = .interactive, capacity: Int = 64) {
    self.cost = cost
    self.capacity = capacity
    queue = DispatchQueue(label: "offshore.passwords")
    decoy = Mutex(nil)
  }

  /// Hashes a password.
  /// - Throws: ``AccountError``: `weakPassword` for one that is too short or too long, `unavailable`
  ///   where too many wait.
  public func hash(_ password: String) async throws -> PasswordHash {
    guard Self.allowedLength ~= password.count, password.utf8.count <= 1_024 else {
      throw AccountError(.weakPassword, "A password has 8 to 256 characters.")
    }
    return try await run { [cost] in try PasswordHash(of: password, cost: cost) }
  }

  /// Whether a password is that of a hash; without a hash it is not, after as much work.
  /// - Throws: ``AccountError`` with the code `unavailable` where too many wait.
  public func matches(_ password: String, _ hash: PasswordHash?) async throws -> Bool {
    // Nobody has a longer one, and hashing it would take long.
    guard password.utf8.count <= 1_024 else { return false }
    return try await run { [self] in
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
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let isTaken = waiting.withLock { waiting in
      guard waiting < capacity else { return false }
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
