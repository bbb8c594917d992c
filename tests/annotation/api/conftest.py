from tests.permissions.people import fresh_cache, people

__all__ = ["fresh_cache", "people"]
