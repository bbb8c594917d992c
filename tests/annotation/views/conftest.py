from tests.factories.roles import annotators, as_, people, project

__all__ = ["annotators", "as_", "people", "project"]
