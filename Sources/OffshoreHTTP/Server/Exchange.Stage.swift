extension Exchange {
  /// How far a request has come.
  enum Stage: Sendable {
    case sendingHeaders
    /// It is found out whether the body is wanted.
    case admitting(Task<Void, Never>?)
    case decided(Decision)
    case sendingBody(Request, limit: Int)
    /// The body is dropped, which is short, and then this is the answer.
    case dropping(Response)
    /// The refusal is sent, and what the client still sends is dropped.
    case refused
    case handling(Task<Void, Never>?)
    case answered
    case abandoned
  }

  /// What its head has led to.
  enum Decision: Sendable {
    case admitted(Request, limit: Int)
    case refused(Response, RequestHead)
    case tooLarge(Response)
  }
}
