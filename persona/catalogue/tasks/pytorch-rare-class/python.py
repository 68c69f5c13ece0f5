# snippet:doc https://docs.pytorch.org/docs/stable/generated/torch.nn.BCEWithLogitsLoss.html BCEWithLogitsLoss
# snippet:about PyTorch
# snippet:check
# snippet:prints plain finds 0.00, weighted 0.90
# snippet:prints 0.9 0.9
# snippet:prints both classes are needed to learn from
# snippet:end
import math

import torch
from torch import nn


def weighted_loss(labels: torch.Tensor) -> nn.Module:
    """A loss in which the positive rows weigh as much as the negative ones."""
    positive = labels.sum()
    if not 0 < positive < len(labels):
        raise ValueError("both classes are needed to learn from")
    return nn.BCEWithLogitsLoss(pos_weight=(len(labels) - positive) / positive)


def threshold_for(recall: float, scores: torch.Tensor, labels: torch.Tensor) -> float:
    """The highest threshold with which `score >= threshold` finds the given share of the positive rows."""
    found, _ = scores[labels == 1].sort(descending=True)
    if len(found) == 0:
        raise ValueError("no positive row to choose a threshold by")
    needed = max(1, math.ceil(recall * len(found) - 1e-9))  # 0.55 * 100 is above 55
    return found[needed - 1].item()


# snippet:check
torch.manual_seed(0)
x = torch.randn(5000, 2)
labels = ((x[:, 0] + 0.6 * torch.randn(5000)) > 2.4).float()
train, test = slice(0, 4000), slice(4000, None)


def recall_of(loss):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(150):
        optimizer.zero_grad()
        loss(model(x[train]).squeeze(1), labels[train]).backward()
        optimizer.step()
    with torch.inference_mode():
        scores = model(x[test]).squeeze(1)
    return ((scores > 0) & (labels[test] == 1)).sum().item() / labels[test].sum().item()


print(f"plain finds {recall_of(nn.BCEWithLogitsLoss()):.2f}, weighted {recall_of(weighted_loss(labels[train])):.2f}")
scores = torch.arange(20.0)
truth = (torch.arange(20) % 2).float()
t = threshold_for(0.9, scores, truth)
print(0.9, (scores[truth == 1] >= t).float().mean().item().__round__(3))
try:
    weighted_loss(torch.zeros(5))
except ValueError as error:
    print(error)
