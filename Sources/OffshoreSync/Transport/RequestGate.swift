import Synchronization

/// A switch for all requests. Callers check it before each request.
///
/// While the gate is closed, requests fail at once, as if the server were unreachable.
public final class RequestGate: Sendable {
  private let state: Mutex<Bool>

  /// Creates a gate, which is open by default.
  public init(isOpen: Bool = true) { state = Mutex(isOpen) }

  /// Whether requests may be made.
  public var isOpen: Bool { state.withLock(\.self) }

  /// Opens or closes the gate. Requests in progress continue.
  public func setOpen(_ isOpen: Bool) { state.withLock { $0 = isOpen } }
}
