from tests.integration.permissions.people import fresh_throttles, people

__all__ = ["fresh_throttles", "people"]
