import OffshoreServer
import OffshoreWire

/// Grants an account a role in 12,800 scopes, in one transaction of a server's file.
///
/// The goal is less than 200 ms. If each grant read those before it, it would take minutes.
struct GrantScopes: Job {
  let name = "grant-12800"
  let goal = Goal.milliseconds(must: 200)

  private let count = 12_800
  private let rounds = 5

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let data = try ServerData(folder.file("server.sqlite"))
    var scopes: [ScopeID] = []
    for number in 0..<count { scopes.append(try ScopeID(kind: "charter", value: "\(number)")) }
    var account = 0
    var measurement = try await Measurement.alone(rounds: rounds) {
      account += 1
      try await data.addAccount(named: "account-\(account)", password: nil)
    } ours: {
      try await data.grant(.owner, inScopes: scopes, toAccount: "account-\(account)")
    }
    measurement.tellRate(of: count, "grants")
    await data.close()
    return measurement
  }
}
