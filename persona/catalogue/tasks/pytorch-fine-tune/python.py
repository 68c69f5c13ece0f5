# snippet:doc https://docs.pytorch.org/tutorials/beginner/transfer_learning_tutorial.html Transfer learning
# snippet:about PyTorch
# snippet:check
# snippet:prints head only: True True
# snippet:prints then both: True False
# snippet:end
import torch
from torch import nn


class FineTuned(nn.Module):
    def __init__(self, backbone: nn.Module, features: int, classes: int) -> None:
        super().__init__()
        self.backbone = backbone.requires_grad_(False).eval()
        self.head = nn.Linear(features, classes)
        self.frozen = True

    def unfreeze(self) -> None:
        self.backbone.requires_grad_(True)
        self.frozen = False
        self.train(self.training)  # batch normalisation follows the data again

    def train(self, mode: bool = True) -> "FineTuned":
        super().train(mode)
        if self.frozen:
            self.backbone.eval()  # or batch normalisation would follow the new data
        return self

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.backbone(x))


def optimizer_for(model: FineTuned, rate: float = 1e-3) -> torch.optim.Optimizer:
    groups = [{"params": model.head.parameters()}, {"params": model.backbone.parameters(), "lr": rate / 100}]
    return torch.optim.AdamW(groups, lr=rate)


# snippet:check
torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
model = FineTuned(backbone, 8, 2)
assert not backbone.training
optimizer = optimizer_for(model, rate=0.1)
x, y = torch.randn(32, 4) + 3, torch.randint(2, (32,))


def step():
    head, body = model.head.weight.detach().clone(), {k: v.clone() for k, v in backbone.state_dict().items()}
    model.train()
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    same = all(torch.equal(v, body[k]) for k, v in backbone.state_dict().items())
    moved = (model.head.weight - head).abs().max().item()
    shift = (backbone[0].weight - body["0.weight"]).abs().max().item()
    assert same or shift < moved / 10
    return moved > 0, same


print("head only:", *step())
model.unfreeze()
assert backbone.training
print("then both:", *step())
