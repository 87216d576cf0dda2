import CSodium

/// A password as a server keeps it: hashed by argon2id (<https://www.rfc-editor.org/rfc/rfc9106>), which
/// takes so much memory and time that guessing passwords does not pay.
public struct PasswordHash: Hashable, Sendable {
  /// The hash with its salt and how it was made.
  public let text: String

  /// How much making a hash takes.
  public struct Cost: Hashable, Sendable {
    let operations: UInt64
    let bytes: Int

    /// What is advised for signing in: 64 MiB, and about a tenth of a second.
    public static let interactive = Cost(
      operations: UInt64(crypto_pwhash_opslimit_interactive()),
      bytes: crypto_pwhash_memlimit_interactive())
    /// As little as there can be, for tests.
    package static let least = Cost(
      operations: UInt64(crypto_pwhash_opslimit_min()), bytes: crypto_pwhash_memlimit_min())
  }

  /// Chooses the fastest code for this processor, once.
  private static let isReady = sodium_init() >= 0

  /// Takes a hash that was stored.
  public init(stored text: String) { self.text = text }

  /// Hashes a password, which keeps the thread busy; see ``PasswordHasher``.
  /// - Throws: ``AccountError`` with the code `unavailable` where there is no memory for it.
  public init(of password: String, cost: Cost = .interactive) throws(AccountError) {
    _ = Self.isReady
    var hash = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    let bytes = Array(password.utf8).map(CChar.init(bitPattern:))
    guard
      crypto_pwhash_str(&hash, bytes, UInt64(bytes.count), cost.operations, cost.bytes) == 0
    else { throw AccountError(.unavailable, "The server has no memory left. Try again later.") }
    text = String(
      decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether a password is this one, found out in a time that says nothing of it.
  ///
  /// It keeps the thread busy as hashing does.
  public func matches(_ password: String) -> Bool {
    let bytes = Array(password.utf8).map(CChar.init(bitPattern:))
    _ = Self.isReady
    var stored = text.utf8.map(CChar.init(bitPattern:))
    guard stored.count < crypto_pwhash_strbytes(), !stored.contains(0) else { return false }
    stored += Array(repeating: 0, count: crypto_pwhash_strbytes() - stored.count)
    return crypto_pwhash_str_verify(stored, bytes, UInt64(bytes.count)) == 0
  }
}

extension PasswordHash: CustomStringConvertible {
  /// Says nothing of the hash, so that no log tells it.
  public var description: String { "a password's hash" }
}
