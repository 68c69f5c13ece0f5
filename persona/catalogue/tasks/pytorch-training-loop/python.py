# snippet:doc https://docs.pytorch.org/tutorials/beginner/basics/optimization_tutorial.html Optimizing model parameters
# snippet:about PyTorch
# snippet:needs PyTorch 1.9
# snippet:usage
# snippet:prints True
# snippet:prints True
# snippet:end
import torch
from torch import nn
from torch.utils.data import DataLoader


def train(model: nn.Module, batches: DataLoader, loss: nn.Module, optimizer: torch.optim.Optimizer, device: str):
    model.train()
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss(model(x), y).backward()
        optimizer.step()


@torch.inference_mode()
def evaluate(model: nn.Module, batches: DataLoader, device: str) -> tuple[float, float]:
    """Return the mean cross-entropy and the accuracy."""
    model.eval()
    total = correct = rows = 0
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        scores = model(x)
        total += nn.functional.cross_entropy(scores, y, reduction="sum").item()
        correct += (scores.argmax(dim=1) == y).sum().item()
        rows += len(y)
    return total / rows, correct / rows


# snippet:usage
from torch.utils.data import TensorDataset

torch.manual_seed(0)
x = torch.randn(500, 2)
y = (x[:, 0] * x[:, 1] > 0).long()
train_set, test_set = TensorDataset(x[:400], y[:400]), TensorDataset(x[400:], y[400:])
model = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
before = evaluate(model, DataLoader(test_set, 32), "cpu")
for _ in range(20):
    train(model, DataLoader(train_set, 32, shuffle=True), nn.CrossEntropyLoss(), optimizer, "cpu")
after = evaluate(model, DataLoader(test_set, 32), "cpu")
print(after[1] > 0.9 > before[1] and after[0] < before[0])
# Batches of another size and a model without dropout: the figures stay.
print(all(abs(a - b) < 1e-5 for a, b in zip(after, evaluate(model, DataLoader(test_set, 7), "cpu"))))
