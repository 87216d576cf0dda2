public import Foundation

/// What a synced row is to a person.
public struct SyncedThing: Hashable, Sendable {
  /// What there is.
  public enum Kind: Hashable, Sendable {
    /// A charter.
    case charter
    /// A checklist that a charter has.
    case charterChecklist
    /// What is ticked of a checklist in a charter.
    case ticks
    /// What is noted of an item in a charter.
    case note
    /// Something of the library.
    case checklist, guide, deck
    /// How far somebody has got with the cards of a deck.
    case study
    /// Which charter is sailed now.
    case activeCharter
    /// Something that this version does not know.
    case unknown
  }

  /// What it is.
  public let kind: Kind
  /// What it is called, where that is known.
  public let title: String?
  /// What the charter is called that it belongs to, where it does.
  public let charterName: String?

  /// Names a thing.
  public init(_ kind: Kind, title: String? = nil, charterName: String? = nil) {
    self.kind = kind
    self.title = title
    self.charterName = charterName
  }
}

/// A change of this device that the server has not confirmed.
public struct UnsentChange: Hashable, Sendable, Identifiable {
  /// What was done.
  public enum Action: Hashable, Sendable {
    case added, changed, removed
  }

  /// A name that stays for as long as the change waits, for example `charters-<id>`.
  public let id: String
  /// What was changed.
  public let thing: SyncedThing
  /// What was done to it.
  public let action: Action
  /// When it was done last, where that is known.
  public let date: Date?
  /// Whether it is on its way, and can no longer be cancelled.
  public let isOnItsWay: Bool
  /// How many other things came or went with it.
  public let companionCount: Int

  /// Describes a change.
  public init(
    id: String, thing: SyncedThing, action: Action, date: Date?, isOnItsWay: Bool,
    companionCount: Int
  ) {
    self.id = id
    self.thing = thing
    self.action = action
    self.date = date
    self.isOnItsWay = isOnItsWay
    self.companionCount = companionCount
  }
}

/// The changes of this device that the server has not confirmed.
public struct UnsentChanges: Hashable, Sendable {
  /// The oldest of them.
  public let shown: [UnsentChange]
  /// How many there are besides.
  public let moreCount: Int

  /// Takes the oldest, and how many there are besides.
  public init(shown: [UnsentChange] = [], moreCount: Int = 0) {
    self.shown = shown
    self.moreCount = moreCount
  }
}

/// A change that was set aside, until a person decides.
public struct RefusedChange: Hashable, Sendable, Identifiable {
  /// Why it was set aside.
  public enum Reason: Hashable, Sendable {
    /// What was changed is not there any more.
    case gone
    /// What it refers to is not there any more.
    case missingReference
    /// The account may not change it.
    case forbidden
    /// It is larger than is allowed.
    case tooLarge
    /// It builds on a change that was not taken.
    case dependency
    /// What others wrote leaves no room for it.
    case collision
    /// The account has as much as one may have.
    case limitReached
    /// Anything else, in the server's words.
    case other(String)
  }

  /// The number of the change on this device.
  public let id: Int64
  /// What was changed.
  public let thing: SyncedThing
  /// Why it was set aside.
  public let reason: Reason
  /// When it was set aside.
  public let date: Date
  /// Whether it can be made once more.
  public let canRetry: Bool

  /// Describes a change.
  public init(id: Int64, thing: SyncedThing, reason: Reason, date: Date, canRetry: Bool) {
    self.id = id
    self.thing = thing
    self.reason = reason
    self.date = date
    self.canRetry = canRetry
  }
}
