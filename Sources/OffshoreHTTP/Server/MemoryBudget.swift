import Synchronization

/// A budget of bytes for the bodies and responses that a server holds at once.
///
/// Each client has a share, so that one that sends much, or does not read, leaves room for the
/// others. A small reservation may use all of the budget, a large one three quarters, so that small
/// requests succeed while large ones have to wait.
///
/// ```swift
/// let budget = MemoryBudget(bytes: 256 << 20, bytesPerClient: 64 << 20)
/// let reservation = budget.reservation(for: "192.0.2.7")
/// guard reservation.resize(to: body.count) else { throw MemoryBudget.exhausted }
/// ```
package final class MemoryBudget: Sendable {
  private struct State {
    var total = 0
    var clients: [String: Int] = [:]
  }

  private let bytes: Int
  private let bytesPerClient: Int
  private let state = Mutex(State())

  /// The size up to which a reservation is small.
  private static let small = 256 << 10

  /// Creates a budget.
  /// - Parameters:
  ///   - bytes: the bytes for all clients together.
  ///   - bytesPerClient: the bytes for one client.
  package init(bytes: Int, bytesPerClient: Int) {
    self.bytes = bytes
    self.bytesPerClient = bytesPerClient
  }

  /// The reserved bytes.
  package var reservedBytes: Int { state.withLock(\.total) }

  /// Returns a reservation of no bytes yet.
  /// - Parameter client: the account or the address that causes the reservation.
  package func reservation(for client: String) -> Reservation { Reservation(self, client) }

  /// Changes a reservation.
  /// - Parameters:
  ///   - old: the reserved bytes.
  ///   - new: the bytes to reserve. They determine whether the reservation is small: a body arrives in
  ///     small parts.
  /// - Returns: `false` if there is no room.
  fileprivate func change(
    from old: Int, to new: Int, for client: String, isForced: Bool = false
  ) -> Bool {
    state.withLock { state in
      let count = new - old
      let (total, own) = (state.total + count, state.clients[client, default: 0] + count)
      if count > 0, !isForced {
        let limit = new <= Self.small ? bytes : bytes / 4 * 3
        guard total <= limit, own <= bytesPerClient else { return false }
      }
      state.total = total
      state.clients[client] = own == 0 ? nil : own
      return true
    }
  }

  /// The error for a request that does not fit.
  package static var exhausted: HTTPError {
    HTTPError(
      .serviceUnavailable, "The server has too much in hand. Try again soon.",
      headers: ["Retry-After": "2"])
  }

  /// Bytes of a ``MemoryBudget`` that are reserved while this object exists.
  package final class Reservation: Sendable {
    private let budget: MemoryBudget
    private let client: String
    private let count = Mutex(0)

    fileprivate init(_ budget: MemoryBudget, _ client: String) {
      self.budget = budget
      self.client = client
    }

    deinit { _ = budget.change(from: count.withLock(\.self), to: 0, for: client) }

    /// The reserved bytes.
    package var byteCount: Int { count.withLock(\.self) }

    /// Changes the number of reserved bytes. A smaller number always succeeds.
    /// - Returns: `false` if the budget, or the client's share of it, is used up. The reservation
    ///   then stays as it was. Answer with ``MemoryBudget/exhausted``.
    package func resize(to count: Int) -> Bool {
      self.count.withLock { current in
        guard budget.change(from: current, to: count, for: client) else { return false }
        current = count
        return true
      }
    }

    /// Replaces the reserved bytes by those of a short result, whatever is left.
    func replace(with count: Int) {
      self.count.withLock { current in
        _ = budget.change(from: current, to: count, for: client, isForced: true)
        current = count
      }
    }
  }
}
