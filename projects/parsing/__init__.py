"""Uploads and pages, parsed in processes of their own with limits and without a network."""
