import OffshoreSync

extension Breach {
  /// Whether an event of the stream is withheld from a device.
  func withholds(_ event: SyncEngine.Event) -> Bool {
    switch self {
    case .unnoticedEnd: event == .streamClosed(nil)
    case .unnoticedOpening: event == .streamOpened
    default: false
    }
  }
}

/// The delay before a stream in former engines: longer after each stream of less than 30 seconds,
/// regardless of its end.
struct FormerBackoff {
  private var last: Int64?
  private var attempts = 0

  /// Draws the delay before the next stream.
  mutating func delay(in time: VirtualTime) -> Int64 {
    defer { last = time.now }
    guard let last else { return 0 }
    attempts = time.now - last < 30_000 ? min(attempts + 1, 8) : 1
    return Int64(time.random.number(in: 0...(1_000 << (attempts - 1))))
  }
}
