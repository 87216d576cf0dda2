import OffshoreSync
import TestSupport

/// The kind of schedule that a seed produces: its devices, users and faults with their frequencies.
struct Profile {
  var devices: Int
  var steps: Int
  var boards: Int
  /// Whether all devices have some rows before faults begin.
  var isWarm: Bool
  var habits: Habits
  /// The actions with their weights.
  var actions: [(element: Action, weight: Int)]
  /// The percentage of exchanges that are completed at once and bypass the pool of messages.
  var directness: Int
  /// The percentages of messages in the pool that are lost, and that are delivered twice.
  let loss: Int
  let duplication: Int
  /// The additional percentage of push answers that are lost.
  var silence = 0
  var truncation: Int
  /// The most rows of a page, and the approximate bytes of an answer.
  var pageLimit: Int
  var pageBytes: Int
  var limits: SealingLimits
  /// Whether the digests of devices are checked only at the end.
  private(set) var isBrief = false
  /// Whether all messages are encoded and decoded.
  let usesBytes: Bool
  /// Whether all devices share one account.
  private(set) var isShared: Bool
  /// Whether users write letters and notices, and users of every other device forge some.
  private(set) var hasLetters = false
  /// Whether users read memos of each other.
  private(set) var hasReaders = false
  /// Whether users add photos, whose files devices send and fetch.
  private(set) var hasFiles = false
  /// Whether users decide about refused changes.
  private(set) var decides = false
  /// Whether devices send forbidden changes several times.
  private(set) var isPatient = false
  /// Whether the app and the server are upgraded through three versions.
  private(set) var evolves = false
  /// Whether users also change the tables that are added, widened and removed by these versions.
  private(set) var hasPins = false
  /// The number of rows from which the rows of a new scope are shown as they arrive, if it is not that of
  /// the product.
  private(set) var largeScopeRows: Int?
  /// The largest error of a clock, in milliseconds.
  let skew: Int
  /// Whether the server's clock is set back as well.
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
    // Derived from the seed without a draw, so that the other schedules do not change.
    stepsServerBack = seed % 7 == 3
    isShared = random.chance(40)
    skew = random.pick([0, 50, 5_000, 86_400_000])
    beginsOld = random.chance(30)
    // A group that exceeds one batch would be visible in parts.
    if limits != SealingLimits() { habits.untie() }
    self.habits = habits
    if (seed + 1) % 11 < 2 { writeLetters() }
    if seed % 5 == 2 { prefer(.manage, weight: 4) }
    if seed % 9 == 8 { evolve() }
    if seed % 27 == 17 { evolveAll() }
    if seed % 8 == 5 { readOthers() }
    if seed % 13 == 6 { move() }
    if seed % 17 == 15 { shareFiles() }
    if seed % 23 == 5 { erase() }
    if seed % 23 == 7 { deleteAccounts() }
    if seed % 23 == 8 { decide() }
    if seed % 46 == 8 { isPatient = true }
    if seed % 32 == 5 { arrive() }
  }

  func weight(of action: Action) -> Int {
    actions.first { $0.element == action }?.weight ?? 0
  }

  /// Whether accounts get other roles during the schedule.
  var changesRoles: Bool { weight(of: .changeGrant) + weight(of: .manage) > 0 }

  /// Whether a token that was shown is shown forever: no board is deleted, no grant is revoked, and
  /// the data is neither restored nor copied.
  var keepsTokens: Bool {
    !habits.deletesBoards && !changesRoles
      && [Action.restore, .copyDevice, .erase].allSatisfy { weight(of: $0) == 0 }
  }

  /// Makes the schedule short, with fewer devices and pages. If users decide about refused changes, only
  /// its pages are fewer: the changes are refused and decided about late in a schedule.
  mutating func shorten() {
    isBrief = true
    pageLimit = max(pageLimit, 5)
    pageBytes = max(pageBytes, 2_000)
    guard !decides else { return }
    (devices, steps, boards) = (devices > 3 ? 3 : 2, steps / 3, min(boards, 2))
  }

  /// Removes all actions that make tokens disappear.
  mutating func calm() {
    boards = 3
    habits.keepBoards()
    actions.removeAll { [.changeGrant, .manage, .restore, .copyDevice].contains($0.element) }
  }

  /// Makes an action frequent.
  mutating func prefer(_ action: Action, weight: Int = 15) {
    actions.removeAll { $0.element == action }
    actions.append((element: action, weight: weight))
  }

  /// Makes users change roles, between accounts of their own.
  mutating func manage() {
    isShared = false
    prefer(.manage)
  }

  /// Makes users change marks, with an app and a server that are often upgraded.
  mutating func evolve() {
    guard !evolves else { return }
    evolves = true
    habits.makeMarks()
    prefer(.upgrade, weight: 5)
    prefer(.upgradeServer, weight: 4)
  }

  /// Makes users also change pins and flags.
  mutating func evolveAll() {
    evolve()
    guard !hasPins else { return }
    hasPins = true
    habits.makePins()
  }

  /// Makes users move tokens, between boards whose tombstones are often removed.
  mutating func move() {
    boards = max(boards, 2)
    habits.moveTokens()
    prefer(.collect, weight: 20)
  }

  /// Makes users read memos of each other, with memberships that often change.
  mutating func readOthers() {
    guard !hasReaders else { return }
    (hasReaders, isShared) = (true, false)
    habits.readOthers()
    prefer(.changeGrant, weight: 4)
  }

  /// Makes users add photos.
  mutating func shareFiles() {
    guard !hasFiles else { return }
    hasFiles = true
    habits.shareFiles()
    prefer(.file, weight: 40)
    prefer(.tidy, weight: 4)
  }

  /// Makes users decide about refused changes, of which many are those of letters.
  mutating func decide() {
    decides = true
    writeToOthers()
    habits.forgeLetters()
    prefer(.changeGrant, weight: 4)
    prefer(.decide, weight: 45)
    prefer(.recall, weight: 30)
  }

  /// Makes users erase devices that have files.
  mutating func erase() {
    shareFiles()
    // What only an erased device had is not known to copies of its file.
    actions.removeAll { [.copyDevice, .restore].contains($0.element) }
    prefer(.erase, weight: 6)
  }

  /// Makes users delete accounts.
  mutating func deleteAccounts() {
    isShared = false
    erase()
    prefer(.deleteAccount, weight: 4)
  }

  /// Makes users add photos, with accounts of their own whose roles often change.
  mutating func hideFiles() {
    isShared = false
    shareFiles()
    prefer(.changeGrant)
  }

  /// Makes the rows of almost every new scope show as they arrive, two at a time.
  mutating func arrive() { largeScopeRows = 4 }

  /// Makes users write letters.
  mutating func writeLetters() {
    guard !hasLetters else { return }
    hasLetters = true
    habits.writeLetters()
  }

  /// Gives each device an account of its own, and makes users write letters.
  mutating func writeToOthers() {
    isShared = false
    writeLetters()
    for action in [Action.work, .push, .pull, .deliver] { prefer(action, weight: 40) }
  }

  /// Makes ties frequent, in batches that can hold a whole group.
  mutating func tie() {
    limits = SealingLimits()
    habits.makeTies()
  }
}
