# snippet:doc https://docs.python.org/3/library/argparse.html argparse
# snippet:needs Python 3.10
import argparse
from pathlib import Path


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="thumbs", description="Make thumbnails of photos.", allow_abbrev=False)
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    parser.add_argument("-o", "--output", type=Path, default=Path("thumbs"), metavar="FOLDER")
    parser.add_argument("-w", "--width", type=int, default=320, help="pixels (default: %(default)s)")
    parser.add_argument("--format", choices=["webp", "avif", "jpeg"], default="webp")
    parser.add_argument("--dry-run", action=argparse.BooleanOptionalAction, default=False)

    args = parser.parse_args(argv)
    if args.width < 16:
        parser.error(f"--width must be at least 16, got {args.width}")
    return args


args = parse(["-w", "640", "--dry-run", "beach.jpg", "dog.jpg"])
for photo in args.photos:
    verb = "would write" if args.dry_run else "writing"
    print(f"{verb} {photo.with_suffix('.' + args.format).name} to {args.output} at {args.width} px")
# snippet:prints would write beach.webp to thumbs at 640 px
# snippet:prints would write dog.webp to thumbs at 640 px
