import CSodium

/// A password as a server stores it, hashed by argon2id (<https://www.rfc-editor.org/rfc/rfc9106>).
///
/// Hashing needs so much memory and time that guessing passwords does not pay.
package struct PasswordHash: Hashable, Sendable {
  /// The hash with its salt and parameters.
  let text: String

  /// The memory and time for a hash.
  package struct Cost: Hashable, Sendable {
    let operations: UInt64
    let bytes: Int

    /// The cost that libsodium recommends for sign-ins: 64 MiB, and about a tenth of a second.
    package static let interactive = Cost(
      operations: UInt64(crypto_pwhash_opslimit_interactive()),
      bytes: crypto_pwhash_memlimit_interactive())
    /// The lowest possible cost, for tests.
    package static let least = Cost(
      operations: UInt64(crypto_pwhash_opslimit_min()), bytes: crypto_pwhash_memlimit_min())
  }

  /// Whether libsodium is initialized. It then uses the fastest implementation for this processor.
  private static let isReady = sodium_init() >= 0

  /// The hash that no password has.
  package static let none = PasswordHash(stored: "")

  /// Creates a password hash from its stored text.
  package init(stored text: String) { self.text = text }

  /// Hashes a password. This blocks the thread; see ``PasswordHasher``.
  /// - Throws: ``AccountError`` with the code `unavailable` if there is not enough memory.
  package init(of password: String, cost: Cost = .interactive) throws(AccountError) {
    _ = Self.isReady
    var hash = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    let bytes = Array(password.utf8).map(CChar.init(bitPattern:))
    guard
      crypto_pwhash_str(&hash, bytes, UInt64(bytes.count), cost.operations, cost.bytes) == 0
    else { throw AccountError(.unavailable, "The server has no memory left. Try again later.") }
    text = String(
      decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns whether a password has this hash, in a time that does not depend on the answer.
  ///
  /// This blocks the thread, like hashing.
  func matches(_ password: String) -> Bool {
    let bytes = Array(password.utf8).map(CChar.init(bitPattern:))
    _ = Self.isReady
    var stored = text.utf8.map(CChar.init(bitPattern:))
    guard stored.count < crypto_pwhash_strbytes(), !stored.contains(0) else { return false }
    stored += Array(repeating: 0, count: crypto_pwhash_strbytes() - stored.count)
    return crypto_pwhash_str_verify(stored, bytes, UInt64(bytes.count)) == 0
  }
}

extension PasswordHash: CustomStringConvertible {
  /// A text without the hash, so that no log contains it.
  package var description: String { "a password's hash" }
}
