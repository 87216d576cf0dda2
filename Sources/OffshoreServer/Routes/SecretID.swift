import OffshoreHTTP
import OffshoreWire

/// The identifier of a token or an invitation in a path: the 64 hexadecimal digits of the secret's hash.
struct SecretID: PathParameter {
  let hash: ContentHash

  init?(pathParameter text: String) {
    guard let hash = ContentHash(hexadecimal: text) else { return nil }
    self.hash = hash
  }
}
