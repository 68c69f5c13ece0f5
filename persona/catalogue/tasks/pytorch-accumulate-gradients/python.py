# snippet:doc https://docs.pytorch.org/docs/stable/notes/amp_examples.html#gradient-accumulation Gradient accumulation
# snippet:about PyTorch
# snippet:usage
# snippet:prints True
# snippet:prints 2 steps
# snippet:prints True
# snippet:end
from collections.abc import Iterable, Iterator
from itertools import islice

import torch
from torch import nn

Batch = tuple[torch.Tensor, torch.Tensor]


def train(model: nn.Module, batches: Iterable[Batch], loss: nn.Module, optimizer: torch.optim.Optimizer,
          parts: int = 4, longest: float = 1.0) -> Iterator[float]:
    """Take a step after each group of equally large batches; yield the length of its gradient before clipping."""
    batches = iter(batches)
    while group := list(islice(batches, parts)):
        optimizer.zero_grad()
        for x, y in group:
            (loss(model(x), y) / len(group)).backward()  # the last group may be smaller
        length = nn.utils.clip_grad_norm_(model.parameters(), longest)
        optimizer.step()
        yield length.item()


# snippet:usage
def trained(parts, batch, longest=1e9, rows=24):
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    x = torch.randn(rows, 3)
    y = x.sum(dim=1, keepdim=True) * 5
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model.weight.detach().clone()
    lengths = list(train(model, zip(x.split(batch), y.split(batch)), nn.MSELoss(), optimizer, parts, longest))
    return model.weight.detach(), lengths, before


small, large = trained(4, 4), trained(1, 16, rows=16)
print(torch.allclose(trained(4, 4, rows=16)[0], large[0], atol=1e-6))
print(len(small[1]), "steps")
weight, lengths, before = trained(4, 4, longest=0.5, rows=16)
print(lengths[0] > 0.5 and (weight - before).norm().item() <= 0.05 + 1e-6)
