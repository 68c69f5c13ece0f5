# snippet:doc https://docs.pytorch.org/tutorials/beginner/saving_loading_models.html Saving and loading models
# snippet:about PyTorch
# snippet:needs PyTorch 1.13
# snippet:check
# snippet:prints 3 True
# snippet:prints refused
# snippet:end
import os
from pathlib import Path

import torch


def save(path: Path, epoch: int, **parts) -> None:
    """Save the state of a model, an optimizer, a scheduler..., each under its name."""
    unfinished = path.with_name(path.name + ".tmp")
    with unfinished.open("wb") as file:
        torch.save({"epoch": epoch} | {name: part.state_dict() for name, part in parts.items()}, file)
        file.flush()
        os.fsync(file.fileno())  # on the disk before it gets its name
    os.replace(unfinished, path)


def resume(path: Path, device: str, **parts) -> int:
    """Restore the parts and return the epoch to begin with."""
    if not path.exists():
        return 0
    saved = torch.load(path, map_location=device, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(saved[name])
    return saved["epoch"] + 1


# snippet:check
import pickle
import tempfile

from torch import nn

x, y = torch.arange(8.0).unsqueeze(1), torch.arange(8.0).unsqueeze(1) * 3


def run(epochs, path=None):
    torch.manual_seed(0)
    model = nn.Linear(1, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    start = resume(path, "cpu", **parts) if path else 0
    for epoch in range(start, epochs):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        scheduler.step()
        if path:
            save(path, epoch, **parts)
    return start, model.weight.item()


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "run.pt"
    run(3, path)
    start, weight = run(6, path)
    print(start, weight == run(6)[1])

    class Evil:
        def __reduce__(self):
            return print, ("code ran",)

    torch.save({"epoch": Evil()}, path)
    try:
        resume(path, "cpu")
    except pickle.UnpicklingError:
        print("refused")
