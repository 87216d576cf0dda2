import Foundation
import Observation
import OffshoreHost
import OffshorePresentation

/// The phones of a dock, the completed steps, and the latest delivery from one phone to the other.
@MainActor @Observable
final class DockModel {
  let language: Language
  /// The password of the phones' accounts.
  let password: String
  private(set) var phones: [Phone] = []
  private(set) var tour = DockTour()
  private(set) var delivery: Delivery?

  @ObservationIgnored private var timer = DeliveryTimer()
  @ObservationIgnored private var following: [Task<Void, Never>] = []

  init(language: Language, password: String) {
    self.language = language
    self.password = password
  }

  /// Shows phones, and observes their reports until ``stop()``.
  func show(_ phones: [Phone]) {
    self.phones = phones
    following = [
      Task { [weak self] in
        let reports = Observations { phones.map { DockTour.Report(of: $0) } }
        for await reports in reports { self?.receive(reports) }
      }
    ]
    following += phones.map { phone in
      Task { [weak self] in
        for await arrival in Observations({ phone.arrival }) {
          if let arrival { self?.receive(arrival, at: phone.number) }
        }
      }
    }
  }

  /// Applies the phones' latest reports at once, for a page that is about to be shown.
  func update() { receive(phones.map { DockTour.Report(of: $0) }) }

  /// Stops observing the reports.
  func stop() {
    for task in following { task.cancel() }
  }

  private func receive(_ reports: [DockTour.Report]) {
    timer.update(
      areOnline: reports.allSatisfy(\.status.isOnline),
      at: Int64(Date().timeIntervalSince1970 * 1_000))
    var next = tour
    next.update(with: reports)
    if next != tour { tour = next }
  }

  private func receive(_ arrival: Arrival, at number: Int) {
    guard let from = phones.first(where: { $0.number != number })?.number,
      let next = timer.delivery(arrival, from: from, to: number)
    else { return }
    delivery = next
  }
}

extension DockTour.Report {
  @MainActor init(of phone: Phone) {
    self.init(
      status: phone.status, facts: phone.facts, returnCount: phone.returnCount)
  }
}
