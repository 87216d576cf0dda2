import OffshoreSync

extension Breach {
  /// Whether a device is not told of an event of its stream.
  func withholds(_ event: SyncEngine.Event) -> Bool {
    switch self {
    case .unnoticedEnd: event == .streamClosed(nil)
    case .unnoticedOpening: event == .streamOpened
    default: false
    }
  }
}

/// The delay before a stream in former engines: longer with each stream that lasted less than 30 seconds,
/// whatever had ended it.
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
