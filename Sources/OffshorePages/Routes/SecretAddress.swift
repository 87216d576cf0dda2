import Observation
public import OffshoreHTTP
public import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// An address with a secret of its own, by which another program reads a file of this device
/// without signing in, such as a calendar app that subscribes to `/feed/3k…z.ics`.
///
/// ```swift
/// let feed = SecretAddress("feed", suffix: ".ics", storedBy: store)
/// router.addSecretAddress(feed) { _ in .download(…) }
/// let address = try await feed.create()  // shown once
/// try await feed.withdraw()
/// ```
///
/// The secret has 192 random bits. Only its hash is stored, so the address cannot be shown again; a
/// new one replaces it. The handler of the requests does not receive the secret, so that no log
/// has it, and no browser sends it to another page.
public struct SecretAddress: Sendable {
  private let path: String
  private let suffix: String
  private let storage: any SecretStorage
  private let makeSecret: @Sendable () -> String
  /// The state that all parts of pages with the address show.
  let state = SecretAddressState()

  /// Names an address. It does not exist before ``create()``.
  ///
  /// - Parameters:
  ///   - path: the path before the secret, without parameters, such as `feed`. It is also the name
  ///     under which the hash is stored.
  ///   - suffix: the end of the address after the secret, such as `.ics`.
  ///   - storage: the storage of the hash.
  ///   - makeSecret: returns a new secret of ASCII letters and digits; by default 192 random bits.
  public init(
    _ path: String, suffix: String = "", storedBy storage: some SecretStorage,
    makeSecret: (@Sendable () -> String)? = nil
  ) {
    self.path = path
    self.suffix = suffix
    self.storage = storage
    self.makeSecret = makeSecret ?? LaunchToken.randomSecret
  }

  /// Creates an address. A former one does not exist any more then.
  ///
  /// - Returns: the address, for a link on the page that the user has requested it from.
  /// - Throws: the error of the storage. The former address still exists then.
  public func create() async throws -> String {
    let secret = makeSecret()
    try await storage.storeSecretDigest(Self.digest(secret), path)
    await state.change(isActive: true)
    return "/\(path)/\(secret)\(suffix)"
  }

  /// Withdraws the address. Its requests are answered with 404 then.
  ///
  /// - Throws: the error of the storage. The address still exists then.
  public func withdraw() async throws {
    try await storage.storeSecretDigest(nil, path)
    await state.change(isActive: false)
  }

  /// Whether an address exists.
  public var isActive: Bool {
    get async throws { try await storage.secretDigest(path) != nil }
  }

  /// The pattern of the route, whose last component is the secret with the suffix.
  fileprivate var pattern: String { "\(path)/:\(SecretRoute.parameter)" }

  /// Returns a request without the secret. It throws `HTTPError` with 404 if the secret is not that
  /// of the address.
  fileprivate func admit(_ request: Request) async throws -> Request {
    let component: String = try request.parameter(SecretRoute.parameter)
    let guess = Self.digest(String(component.dropLast(suffix.count)))
    guard component.hasSuffix(suffix), let stored = try await storage.secretDigest(path),
      LaunchToken.isEqual(guess, stored)
    else { throw HTTPError(.notFound) }
    var admitted = request
    admitted.path = "/\(path)"
    admitted.parameters = [:]
    return admitted
  }

  private static func digest(_ secret: String) -> String {
    ContentHash(of: Array(secret.utf8)).description
  }
}

/// The state of a ``SecretAddress``, which the copies of the value share and pages observe.
@MainActor @Observable final class SecretAddressState {
  private(set) var isActive = false
  /// The number of addresses that were created and withdrawn. A shown address is valid while it
  /// stays the same.
  private(set) var changeCount = 0

  nonisolated init() {}

  /// Records that an address was created or withdrawn.
  func change(isActive: Bool) {
    changeCount += 1
    self.isActive = isActive
  }

  /// Reads whether there is an address. A change during that is newer than the result.
  func load(_ isStored: @MainActor () async throws -> Bool) async throws {
    let count = changeCount
    let isStored = try await isStored()
    if changeCount == count { isActive = isStored }
  }
}

/// A store for the hashes of secrets.
public protocol SecretStorage: Sendable {
  /// Returns the stored hash with a name, or `nil` if there is none.
  /// - Throws: an error if it cannot be read.
  func secretDigest(_ name: String) async throws -> String?

  /// Stores a hash in place of the former one with a name, or removes it if it is `nil`.
  /// - Throws: an error if it cannot be written.
  func storeSecretDigest(_ digest: String?, _ name: String) async throws
}

/// The hashes are settings of this device whose names begin with `secret.`.
extension SyncedStore: SecretStorage {
  /// Returns the stored hash with a name, or `nil` if there is none.
  public func secretDigest(_ name: String) async throws -> String? {
    try await setting("secret.\(name)")
  }

  /// Stores a hash in place of the former one with a name, or removes it if it is `nil`.
  public func storeSecretDigest(_ digest: String?, _ name: String) async throws {
    try await set("secret.\(name)", to: digest)
  }
}

extension Router {
  /// Adds the route of an address with a secret.
  ///
  /// A request with the secret needs no cookie. Any other is answered with 404, whether or not an
  /// address exists. Errors are answered with their text, because a program reads it.
  /// - Parameters:
  ///   - address: the address.
  ///   - file: returns the response. The path of its request is that before the secret.
  /// - Precondition: The router does not have the route yet.
  public mutating func addSecretAddress(_ address: SecretAddress, file: @escaping Handler) {
    get(address.pattern) { request in
      var response: Response
      do { response = try await file(address.admit(request)) } catch {
        response = Response(presenting: error)
      }
      response.headers["Referrer-Policy"] = "no-referrer"
      return response
    }
  }
}
