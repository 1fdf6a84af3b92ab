"""The calls of other packages, so that a script changes one import.

| instead of | |
|---|---|
| `import sdds` (pylhc) | `from binfmt.compat import sdds` |
| `import pysdds` | `from binfmt.compat import pysdds` |
| `import futhark_data` | `from binfmt.compat import futhark_data` |
"""
