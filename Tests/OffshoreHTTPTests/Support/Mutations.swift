/// Broken versions of sound inputs, the same ones in every run with the same seed.
struct Mutations {
  private var state: UInt64
  private let seeds: [[UInt8]]

  /// Bytes that parsers treat in their own ways.
  private static let awkward: [UInt8] =
    Array("%+&=;:,\"\\/?# \t\r\n\0".utf8) + [0x7F, 0x80, 0xC0, 0xFF]

  init(seed: UInt64, of seeds: [String]) {
    state = seed
    self.seeds = seeds.map { Array($0.utf8) }
  }

  mutating func next() -> [UInt8] {
    var bytes = seeds[below(seeds.count)]
    for _ in 0..<(1 + below(6)) { mutate(&bytes) }
    return bytes
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let index = below(bytes.count + 1)
    switch below(6) {
    case 0: bytes.insert(Self.awkward[below(Self.awkward.count)], at: index)
    case 1: bytes.insert(UInt8(truncatingIfNeeded: random()), at: index)
    case 2 where index < bytes.count: bytes[index] = Self.awkward[below(Self.awkward.count)]
    case 3 where index < bytes.count: bytes.remove(at: index)
    case 4: bytes.removeLast(bytes.count - index)
    default: bytes.insert(contentsOf: bytes[index...].prefix(below(20)), at: below(bytes.count + 1))
    }
  }

  private mutating func below(_ bound: Int) -> Int { Int(random() % UInt64(bound)) }

  /// SplitMix64.
  private mutating func random() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
