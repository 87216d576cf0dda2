import Foundation
public import OffshorePresentation

extension LocalRepository: SessionStorage {
  public func credentials() async throws -> Session.Credentials? {
    try await linkedAccount().map { linked in
      Session.Credentials(
        account: Account(id: linked.account.id, name: linked.account.name), token: linked.token,
        server: linked.account.server)
    }
  }

  public func link(_ credentials: Session.Credentials) async throws {
    let account = credentials.account
    try await link(
      LinkedAccount(id: account.id, name: account.name, server: credentials.server),
      token: credentials.token
    ) { checklist, userID in
      SeedChecklist.all.contains { $0.isUntouched(checklist, of: userID) }
    }
  }
}

extension SeedChecklist {
  /// Whether a checklist is as it was when it was given to a user, in whichever language.
  fileprivate func isUntouched(_ checklist: Checklist, of userID: UUID) -> Bool {
    AppDependencies.languages.contains { language in
      let seed = self.checklist(of: userID, in: language, at: checklist.createdAt)
      return seed.id == checklist.id && seed.title == checklist.title
        && seed.description == checklist.description && seed.sections == checklist.sections
    }
  }
}
