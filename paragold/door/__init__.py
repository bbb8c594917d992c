"""What `import paragold as pg` shows: functions and estimators that take and give tables."""
