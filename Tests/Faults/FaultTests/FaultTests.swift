import Testing

/// Faults that real processes meet. They run one at a time, in a test process of their own: a process
/// that is started inherits whatever pipes and sockets other tests have open at that moment.
@Suite(.serialized)
enum FaultTests {}
