"""Numbers and dates of every language of the interface but English.

The decimal point is that of English: numbers also go into charts, styles and fields, where a comma is wrong.
A narrow space between thousands is read as such in every language; a comma or a point is not.
"""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "\u202f"
NUMBER_GROUPING = 3
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"]
TIME_INPUT_FORMATS = ["%H:%M:%S", "%H:%M"]
