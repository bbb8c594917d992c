from tests.factories.house import house, uploads

__all__ = ["house", "uploads"]
