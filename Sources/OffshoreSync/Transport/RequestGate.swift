import Synchronization

/// Whether requests may be made, which whoever makes one asks first.
///
/// Shut, it is as if there were no way to the server: what is asked fails at once.
public final class RequestGate: Sendable {
  private let state: Mutex<Bool>

  /// Makes a gate, which is open unless it is said otherwise.
  public init(isOpen: Bool = true) { state = Mutex(isOpen) }

  /// Whether requests may be made.
  public var isOpen: Bool { state.withLock(\.self) }

  /// Opens the gate, or shuts it. Requests that are under way go on.
  public func setOpen(_ isOpen: Bool) { state.withLock { $0 = isOpen } }
}
