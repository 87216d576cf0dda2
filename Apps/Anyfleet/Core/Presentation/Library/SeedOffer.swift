import Foundation
public import Observation
import Offshore
import OffshorePresentation
import OffshoreSync

/// An offer to add the first checklists in the language in use if those of the library are in another one.
///
/// The answer is stored on the device, by language: a user who has added or dismissed them is not asked again.
@MainActor public final class SeedOffer: Observable {
  /// Whether the checklists are offered.
  public var isOpen: Bool {
    guard isLoaded, !answered.contains(wanted.code), let checklists = library.checklists.data else {
      return false
    }
    let present = SeedChecklist.all.compactMap { seed in
      checklists.first { $0.id == self.first(of: seed).id }.flatMap { seed.language(of: $0) }
    }
    let known = Set(checklists.map(\.id))
    return !present.isEmpty && !present.contains(wanted)
      && additions.allSatisfy { !known.contains($0.id) }
  }

  @Observed private var isLoaded = false
  /// The codes of the languages for which the user has answered.
  @Observed private var answered: Set<String> = []
  private let store: SyncedStore
  private let library: LibraryStore
  private let session: Session
  private let language: LanguageSetting
  private let now: @MainActor () -> Date

  private static let setting = "seedOffer"

  init(
    _ store: SyncedStore, library: LibraryStore, session: Session, language: LanguageSetting,
    now: @escaping @MainActor () -> Date
  ) {
    self.store = store
    self.library = library
    self.session = session
    self.language = language
    self.now = now
  }

  private var wanted: Language { language.language }

  private func first(of seed: SeedChecklist) -> Checklist {
    seed.checklist(of: session.userID, in: wanted, at: .distantPast)
  }

  private var additions: [Checklist] {
    SeedChecklist.all.map { $0.addition(of: session.userID, in: wanted, at: now()) }
  }

  /// Reads the earlier answers. If they cannot be read, nothing is offered.
  public func load() async {
    guard let setting = try? await store.setting(Self.setting) ?? "" else { return }
    answered = Set(setting.split(separator: ",").map(String.init))
    isLoaded = true
  }

  /// Adds the checklists; those that are there stay as they are.
  /// - Returns: a closure that removes the added ones, or `nil` if all were there.
  /// - Throws: `DatabaseError`; nothing is added then.
  public func add() async throws -> (@MainActor () async throws -> Void)? {
    let (additions, code) = (additions, wanted.code)
    let added = try await store.write { writer in
      try additions.filter { checklist in
        guard try !Checklist.find(checklist.id).exists(writer) else { return false }
        try checklist.save(writer)
        return true
      }
    }
    try await answer(code, isAnswered: true)
    await library.loadIfNeeded(Checklist.self)
    guard !added.isEmpty else { return nil }
    return { [self] in
      try await store.write { writer in
        for checklist in added { try Checklist.find(checklist.id).delete(writer) }
      }
      try await answer(code, isAnswered: false)
      await library.loadIfNeeded(Checklist.self)
    }
  }

  /// Offers them no more on this device, in this language.
  /// - Throws: `DatabaseError`.
  public func dismiss() async throws { try await answer(wanted.code, isAnswered: true) }

  private func answer(_ code: String, isAnswered: Bool) async throws {
    let codes = isAnswered ? answered.union([code]) : answered.subtracting([code])
    try await store.set(Self.setting, to: codes.sorted().joined(separator: ","))
    answered = codes
  }
}
