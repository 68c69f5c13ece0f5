# snippet:doc https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.state_dict Module.state_dict
# snippet:about PyTorch
# snippet:check
# snippet:prints best epoch 2, loss 0.4
# snippet:prints weight 2.0, after 5 epochs
# snippet:prints no epoch had a finite loss
# snippet:end
import copy
import math
from collections.abc import Callable

from torch import nn


def fit(model: nn.Module, train_epoch: Callable[[], None], validate: Callable[[], float],
        epochs: int = 100, patience: int = 5, least: float = 1e-4) -> tuple[int, float]:
    """Train until validation stops improving; leave the best weights in the model."""
    best_epoch, best_loss, best_weights = -1, math.inf, None
    for epoch in range(epochs):
        train_epoch()
        loss = validate()
        if loss < best_loss - least:  # never true of NaN
            best_epoch, best_loss = epoch, loss
            best_weights = copy.deepcopy(model.state_dict())
        elif epoch - best_epoch >= patience:
            break
    if best_weights is None:
        raise ArithmeticError("no epoch had a finite loss")
    model.load_state_dict(best_weights)
    return best_epoch, best_loss


# snippet:check
import torch

model = nn.Linear(1, 1, bias=False)
losses = iter([0.9, 0.6, 0.4, 0.7, 0.39999, 0.1])
epochs = -1


def train_epoch():
    global epochs
    epochs += 1
    with torch.no_grad():
        model.weight.fill_(epochs)


epoch, loss = fit(model, train_epoch, lambda: next(losses), patience=2)
print(f"best epoch {epoch}, loss {loss}")
print(f"weight {model.weight.item()}, after {epochs + 1} epochs")
try:
    fit(model, train_epoch, lambda: math.nan, patience=2)
except ArithmeticError as error:
    print(error)
