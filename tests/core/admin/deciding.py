"""A process that takes what waits, for a test that kills it: `python -m tests.core.admin.deciding
FOLDER URL`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.core.admin.desk import desk_of, open_house, settings_for


async def main(folder: Path, url: str) -> None:
    async with open_house(settings_for(folder, url, lease=1.0)) as house:
        await desk_of(house).works()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
