public import OffshorePresentation

extension LocalRepository: SessionStorage {}
