import OffshoreServer
import OffshoreWire
import ServerSupport

/// The contents of blobs on the simulated server, and the model's record of the scopes that have them.
struct ServerFiles {
  /// The contents. A restore of the other data does not concern them.
  private(set) var contents: [ContentHash: [UInt8]] = [:]
  /// The blobs of each scope, with the time at which each was last sent, or a row referred to it as far
  /// as pushes show.
  private var places: [ScopeID: [ContentHash: Int64]] = [:]
  /// The blobs to which rows of each scope referred after the last push.
  private var named: [ScopeID: Set<ContentHash>] = [:]
  /// The blobs to which accepted rows of each scope have ever referred, also in data that was lost by
  /// a restore. Devices send no others.
  private var accepted: [ScopeID: Set<ContentHash>] = [:]

  /// Returns the time at which a blob of a scope was last needed; `nil` if the scope does not have it.
  func lastNeed(of hash: ContentHash, in scope: ScopeID) -> Int64? { places[scope]?[hash] }

  /// Returns the scopes that have a blob.
  func scopes(with hash: ContentHash) -> Set<ScopeID> {
    Set(places.filter { $0.value[hash] != nil }.keys)
  }

  mutating func add(_ content: [UInt8], as hash: ContentHash, to scope: ScopeID, at now: Int64) {
    contents[hash] = content
    places[scope, default: [:]][hash] = now
  }

  mutating func remove(_ hash: ContentHash, from scope: ScopeID) {
    places[scope]?[hash] = nil
    if scopes(with: hash).isEmpty { contents[hash] = nil }
  }

  /// Records the blobs to which rows of a scope refer after a push.
  mutating func note(_ blobs: Set<ContentHash>, in scope: ScopeID, at now: Int64) {
    for hash in blobs.union(named[scope] ?? []) where places[scope]?[hash] != nil {
      places[scope]?[hash] = now
    }
    named[scope] = blobs
    accept(blobs, in: scope)
  }

  /// Records the blobs to which applied changes refer.
  mutating func accept(_ blobs: some Sequence<ContentHash>, in scope: ScopeID) {
    accepted[scope, default: []].formUnion(blobs)
  }

  /// Returns whether the server has ever accepted a row of a scope that refers to a blob.
  func hasAccepted(_ hash: ContentHash, in scope: ScopeID) -> Bool {
    accepted[scope]?.contains(hash) == true
  }

  /// Continues with the records of a copy. Rows that devices send again may refer to each blob.
  mutating func restore(_ copy: ServerFiles, at now: Int64) {
    (places, named) = (copy.places.mapValues { $0.mapValues { _ in now } }, copy.named)
  }

  /// Removes a scope with its blobs.
  mutating func remove(_ scope: ScopeID) {
    (places[scope], named[scope]) = (nil, nil)
    sweep()
  }

  /// Removes the contents that no scope has, which a restore has left.
  mutating func sweep() {
    for hash in contents.keys where scopes(with: hash).isEmpty { contents[hash] = nil }
  }
}

extension ModelServer {
  /// Returns the files to which the rows of a scope refer.
  func files(in scope: ScopeID) -> Set<ContentHash> {
    Set(
      (scopes[scope] ?? [:]).compactMap { row, state in
        guard row.table == Photo.name, state.isLiving else { return nil }
        return BlobReference(state.fields["file"]?.value)?.hash
      })
  }
}

extension SimulatedServer {
  private var fileLimits: BlobLimits { BlobLimits() }
  private var fileRules: BlobRules { BlobRules(fileLimits, pushRules.manifest) }

  /// The time for which a blob stays to which no row refers, in milliseconds.
  var fileLifetime: Int64 { fileLimits.unusedLifetime }

  /// Returns whether a scope has a blob, with its content.
  func hasFile(_ hash: ContentHash, in scope: ScopeID) -> Bool {
    files.contents[hash] != nil && log.blobs(hash).contains { $0.scope == scope }
  }

  /// Records the files to which rows refer after a push.
  mutating func noteFiles(in scopes: [ScopeID], at now: Int64) {
    guard version.hasFiles else { return }
    for scope in scopes { files.note(model.files(in: scope), in: scope, at: now) }
  }

  /// Stores a file that an account sends to a scope.
  /// - Returns: whether the server has accepted it, and the violation if that was wrong.
  mutating func upload(
    _ content: [UInt8], as hash: ContentHash, to scope: ScopeID, of account: AccountID,
    at now: Int64
  ) -> (isStored: Bool, violation: Violation?) {
    guard files.hasAccepted(hash, in: scope) else {
      let detail = "\(account) sends \(hash.spelled) to \(scope) before its row was accepted."
      return (false, Violation(.files, detail))
    }
    let mayWrite = history.role(of: account, in: scope)?.canWrite == true
    let upload = BlobUpload(
      hash: hash, account: account, byteCount: Int64(content.count), expires: now + 3_600_000)
    var isStored = true
    do {
      let isThere = try fileRules.reserve(upload, in: scope, at: now, on: &log)
      if !isThere || files.contents[hash] == nil {
        try fileRules.complete(upload, in: scope, at: now, on: &log)
      }
      files.add(content, as: hash, to: scope, at: now)
    } catch {
      isStored = false
    }
    guard isStored == mayWrite else {
      let detail = "\(account) \(isStored ? "has sent" : "cannot send") a file to \(scope)."
      return (isStored, Violation(.fileAccess, detail))
    }
    return (isStored, nil)
  }

  /// Returns a file as the server answers the request of an account.
  /// - Returns: `nil` if the account may not read the file or the server does not have it, and the
  ///   violation if that was wrong.
  func file(
    _ hash: ContentHash, for account: AccountID, _ breach: Breach?
  ) throws -> (content: [UInt8]?, violation: Violation?) {
    let canRead =
      try breach == .openFiles || fileRules.canRead(hash, account, from: log)
    let mayRead = files.scopes(with: hash).contains {
      history.role(of: account, in: $0)?.canRead == true
    }
    let content = canRead ? files.contents[hash] : nil
    guard (content != nil) == mayRead else {
      let detail = "\(account) \(content == nil ? "cannot read" : "reads") \(hash.spelled)."
      return (content, Violation(.fileAccess, detail))
    }
    return (content, nil)
  }

  /// Removes the blobs that no row has referred to for a while, and the contents that no scope has then.
  mutating func removeFiles(at now: Int64, _ breach: Breach?) -> [Violation] {
    if breach == .keptFiles { return [] }
    if breach == .sweptFiles { log.resetBlobs(ofKind: "board", unusedSince: 0) }
    let time = now - fileLifetime
    let violations = log.removeBlobs(unusedSince: time, limit: .max).compactMap { blob in
      let last = files.lastNeed(of: blob.hash, in: blob.scope) ?? 0
      let isNamed = model.files(in: blob.scope).contains(blob.hash)
      files.remove(blob.hash, from: blob.scope)
      return isNamed || last > time
        ? Violation(.files, "The server has removed \(blob.hash.spelled) of \(blob.scope) early.")
        : nil
    }
    files.sweep()
    return violations
  }

  /// Checks that the server has the blobs of the model, in the same scopes.
  func checkFiles() throws(Violation) {
    for hash in files.contents.keys {
      let found = Set(log.blobs(hash).map(\.scope))
      guard found == files.scopes(with: hash) else {
        throw Violation(.files, "The server has \(hash.spelled) in \(found.map(\.text).sorted()).")
      }
    }
  }
}
