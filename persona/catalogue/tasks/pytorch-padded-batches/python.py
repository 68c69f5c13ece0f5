# snippet:doc https://docs.pytorch.org/docs/stable/data.html#working-with-collate-fn Working with collate_fn
# snippet:about PyTorch
# snippet:check
# snippet:prints [(2, 3), (1, 4)]
# snippet:prints True
# snippet:end
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PADDING = 0  # a token id that no text uses


def collate(rows: list[tuple[list[int], int]]) -> tuple[torch.Tensor, torch.Tensor]:
    tokens = [torch.tensor(tokens, dtype=torch.long) for tokens, _ in rows]
    return pad_sequence(tokens, batch_first=True, padding_value=PADDING), torch.tensor([label for _, label in rows])


class MeanOfTokens(nn.Module):
    def __init__(self, words: int, width: int, classes: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.classify = nn.Linear(width, classes)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:  # batch, time
        mask = (tokens != PADDING).unsqueeze(-1)
        mean = (self.embed(tokens) * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
        return self.classify(mean)


texts = [([5, 2, 9], 1), ([7], 0), ([4, 4, 1, 3], 1)]
batches = DataLoader(texts, batch_size=2, collate_fn=collate)
# snippet:check
torch.manual_seed(0)
model = MeanOfTokens(10, 4, 2)
print([tuple(tokens.shape) for tokens, _ in batches])
padded = model(next(iter(batches))[0])[1]
alone = model(torch.tensor([[7]]))[0]
print(torch.allclose(padded, alone))
assert collate([([], 0)])[0].dtype == collate([([], 0), ([3], 1)])[0].dtype == torch.long
