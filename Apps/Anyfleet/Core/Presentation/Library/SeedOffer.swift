import Foundation
import Observation
import Offshore
import OffshorePresentation
import OffshoreSync

/// An offer to add the seeded checklists in the current language, if the library has them in
/// another one.
///
/// The answer is stored on the device for each language: after the user has added or dismissed
/// them, they are not offered again.
@MainActor package final class SeedOffer: Observable {
  /// Whether the checklists are offered now.
  package var isOpen: Bool {
    guard isLoaded, !answered.contains(currentLanguage.code),
      let checklists = library.checklists.data
    else {
      return false
    }
    let present = SeedChecklist.all.compactMap { seed in
      checklists.first { $0.id == seededChecklist(of: seed).id }.flatMap { seed.language(of: $0) }
    }
    let known = Set(checklists.map(\.id))
    return !present.isEmpty && !present.contains(currentLanguage)
      && additions.allSatisfy { !known.contains($0.id) }
  }

  @Observed private var isLoaded = false
  /// The codes of the languages for which the offer was answered.
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

  private var currentLanguage: Language { language.language }

  private func seededChecklist(of seed: SeedChecklist) -> Checklist {
    seed.checklist(of: session.userID, in: currentLanguage, at: .distantPast)
  }

  private var additions: [Checklist] {
    SeedChecklist.all.map { $0.addition(of: session.userID, in: currentLanguage, at: now()) }
  }

  /// Reads the stored answers. If they are unreadable, nothing is offered.
  package func load() async {
    guard let setting = try? await store.setting(Self.setting) ?? "" else { return }
    answered = Set(setting.split(separator: ",").map(String.init))
    isLoaded = true
  }

  /// Adds the checklists. Existing ones are not changed.
  /// - Returns: a closure that deletes the added ones, or `nil` if all existed.
  /// - Throws: `DatabaseError`. Nothing is added then.
  package func add() async throws -> (@MainActor () async throws -> Void)? {
    let (additions, code) = (additions, currentLanguage.code)
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

  /// Dismisses the offer on this device for this language.
  /// - Throws: `DatabaseError`.
  package func dismiss() async throws { try await answer(currentLanguage.code, isAnswered: true) }

  private func answer(_ code: String, isAnswered: Bool) async throws {
    let codes = isAnswered ? answered.union([code]) : answered.subtracting([code])
    try await store.set(Self.setting, to: codes.sorted().joined(separator: ","))
    answered = codes
  }
}
