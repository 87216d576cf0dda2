import OffshoreSync
import TestSupport

/// What kind of schedule a seed makes: who takes part, what goes wrong, and how often.
struct Profile {
  var devices: Int
  var steps: Int
  var boards: Int
  /// Whether all devices have some rows before faults begin.
  var isWarm: Bool
  var habits: Habits
  /// The actions by weight.
  var actions: [(element: Action, weight: Int)]
  /// In how many of a hundred cases an exchange is done at once, and not put into the pool.
  let directness: Int
  /// In how many of a hundred cases a message in the pool is lost, and delivered twice.
  let loss: Int
  let duplication: Int
  /// In how many of a hundred cases the answer to a push is lost besides.
  var silence = 0
  var truncation: Int
  /// The rows of a page, and about the bytes of an answer.
  var pageLimit: Int
  var pageBytes: Int
  var limits: SealingLimits
  /// Whether only the end is looked at as a whole.
  private(set) var isBrief = false
  /// Whether all messages go through their bytes.
  let usesBytes: Bool
  /// Whether each device is of an account of its own.
  let isShared: Bool
  /// How far clocks may be wrong, in milliseconds.
  let skew: Int
  /// Whether the server's clock is set back, too.
  let stepsServerBack: Bool
  /// Whether devices begin with the app's first version.
  let beginsOld: Bool

  /// Draws a profile.
  init(_ random: inout SeededRandom, seed: UInt64) {
    devices = random.pick([2, 2, 2, 3, 3, 4])
    steps = random.number(in: 30...80)
    boards = random.pick([1, 2, 2, 3])
    isWarm = random.chance(80)
    var habits = Habits(&random)
    actions = Action.allCases.map { ($0, $0.weight(&random)) }
    directness = random.pick([0, 30, 60, 90])
    loss = random.pick([0, 0, 10, 30])
    duplication = random.pick([0, 10, 30])
    truncation = random.pick([0, 0, 5])
    pageLimit = random.pick([2, 3, 7, 1_000])
    pageBytes = random.pick([200, 2_000, 1_000_000])
    var limits = SealingLimits()
    if random.chance(50) { limits.ops = random.number(in: 4...8) }
    if random.chance(20) { limits.bytes = 600 }
    self.limits = limits
    usesBytes = seed % 4 == 0
    // By the seed and not by chance, so that the other schedules stay what they are.
    stepsServerBack = seed % 7 == 3
    isShared = random.chance(40)
    skew = random.pick([0, 50, 5_000, 86_400_000])
    beginsOld = random.chance(30)
    // What is too much for one batch is seen in parts.
    if limits != SealingLimits() { habits.untie() }
    self.habits = habits
  }

  func weight(of action: Action) -> Int {
    actions.first { $0.element == action }?.weight ?? 0
  }

  /// Whether a token that was seen stays in sight: no board is deleted, nobody loses a grant, and
  /// there is one course of events.
  var keepsTokens: Bool {
    !habits.deletesBoards
      && [Action.changeGrant, .restore, .copyDevice].allSatisfy { weight(of: $0) == 0 }
  }

  /// Makes the schedule short, with fewer devices and pages.
  mutating func shorten() {
    (devices, steps, boards) = (devices > 3 ? 3 : 2, steps / 3, min(boards, 2))
    isBrief = true
    pageLimit = max(pageLimit, 5)
    pageBytes = max(pageBytes, 2_000)
  }

  /// Lets nothing happen that takes tokens out of sight.
  mutating func calm() {
    boards = 3
    habits.keepBoards()
    actions.removeAll { [.changeGrant, .restore, .copyDevice].contains($0.element) }
  }

  /// Makes an action frequent.
  mutating func prefer(_ action: Action) {
    actions.removeAll { $0.element == action }
    actions.append((element: action, weight: 15))
  }

  /// Makes ties, in batches that hold them.
  mutating func tie() {
    limits = SealingLimits()
    habits.makeTies()
  }
}
