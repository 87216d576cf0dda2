public import Foundation
public import OffshoreSync

extension SyncedStore {
  /// Creates the service that syncs the store with a server, and seeds the file of a user without
  /// an account.
  ///
  /// Nothing is sent before ``SyncService/start()`` or ``SyncService/signIn(name:password:)``.
  ///
  /// - Parameters:
  ///   - server: the server's address, or `nil` to work on this device alone.
  ///   - seeds: returns the initial rows of a new user. They are stored once for each user, and
  ///     only if the tables of personal kinds are empty: for a local user at the first start, and
  ///     for an account after its own rows have arrived for the first time.
  ///   - sleep: suspends for a duration.
  /// - Throws: `DatabaseError`.
  @MainActor
  public func sync(
    with server: URL?, seeds: SyncService.Seeds? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws -> SyncService {
    let gate = RequestGate(isOpen: try await setting(SyncService.airplaneSetting) != "on")
    let transport = server.map { HTTPTransport($0) }
    let client = transport.map { ServerClient($0, through: gate) }
    let session = try await Session.start(
      self, with: client.map { AccountClient($0) }, at: server)
    // The rows of an account take precedence, so its seeds are stored only after they have arrived.
    if let seeds, session.account == nil {
      try await seed(seeds(session.userID), of: session.userID)
    }
    return SyncService(
      self, session, over: transport, monitor: Self.monitor(for: server), through: gate,
      client: client, seeds: seeds, sleep: sleep)
  }

  /// Returns a monitor of the network, if the server is reached through one.
  private static func monitor(for server: URL?) -> (any ReachabilityMonitor)? {
    #if os(Linux)
      guard let server, !server.isLoopback else { return nil }
      return NetlinkMonitor(to: server)
    #else
      return nil
    #endif
  }
}

extension SyncedStore: LanguageStorage {
  /// Returns the code of the language that the user chose on this device, or `nil`.
  public func languageCode() async throws -> String? { try await setting(Self.languageSetting) }

  /// Stores the code of the language that the user chose on this device.
  public func storeLanguage(code: String) async throws {
    try await set(Self.languageSetting, to: code)
  }
}
