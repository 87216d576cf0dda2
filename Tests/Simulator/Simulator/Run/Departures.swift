import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import TestSupport

/// Devices that are erased, and accounts that are deleted.
extension Schedule {
  /// Erases a device, whose next user signs in to the same account or to another one.
  func erase(_ device: SimulatedDevice) throws {
    guard !accounts.isEmpty else { return }
    let account = random.pick(accounts)
    let stop = random.pick(SimulatedDevice.Stop.allCases)
    network.forget(device.place)
    try forgetKept(by: device)
    trace.add("  \(device.name) is erased for \(account), stopped: \(stop)")
    try device.erase(for: account, stop: stop, breach)
    count("fault.erase")
    try ErasureChecks(device: device).run()
    device.others = knownAccounts.filter { $0 != account }
    try device.signIn(as: random.deviceID())
  }

  /// Removes expectations about texts of a restore that are stored on a device that is erased.
  private func forgetKept(by device: SimulatedDevice) throws {
    guard !keptTexts.isEmpty else { return }
    var texts = Set(try device.deadOps().flatMap(\.texts))
    texts.formUnion(try device.connection.read { try device.pendingTexts($0) }.keys)
    keptTexts = keptTexts.filter { !texts.contains($0.text) }
  }

  /// Deletes the account of a device. All of its devices are erased then.
  func deleteAccount(of device: SimulatedDevice) throws {
    let account = device.account
    guard accounts.contains(where: { $0 != account }) else { return }
    trace.add("  \(account) is deleted")
    let violations = try server.deleteAccount(account, at: now + serverSkew, breach)
    if let violation = violations.first { throw violation }
    count("fault.deleteAccount")
    accounts.removeAll { $0 == account }
    for device in devices where device.account == account { try erase(device) }
  }
}
