# snippet:doc https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.scaled_dot_product_attention.html scaled_dot_product_attention
# snippet:about PyTorch
# snippet:needs PyTorch 2.0
# snippet:check
# snippet:prints (2, 6, 16)
# snippet:prints True False
# snippet:prints True
# snippet:end
import torch
from torch import nn
from torch.nn import functional as F


class CausalSelfAttention(nn.Module):
    """Multi-head attention in which a position sees itself and what came before."""

    def __init__(self, width: int, heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"width {width}: expected a multiple of {heads} heads")
        self.heads, self.dropout = heads, dropout
        self.project = nn.Linear(width, 3 * width)
        self.join = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, time, width = x.shape
        # batch, time, 3 * width -> 3, batch, heads, time, width / heads
        query, key, value = self.project(x).view(batch, time, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        dropout = self.dropout if self.training else 0.0
        y = F.scaled_dot_product_attention(query, key, value, dropout_p=dropout, is_causal=True)
        return self.join(y.transpose(1, 2).reshape(batch, time, width))


# snippet:check
torch.manual_seed(0)
layer = CausalSelfAttention(16, 4).eval()
x = torch.randn(2, 6, 16)
with torch.inference_mode():
    y = layer(x)
    print(tuple(y.shape))
    changed = x.clone()
    changed[:, 4] += 1  # the future of positions 0 to 3
    z = layer(changed)
    print(torch.allclose(y[:, :4], z[:, :4], atol=1e-6), torch.allclose(y[:, 4:], z[:, 4:], atol=1e-6))
    # The same from the formula, head by head.
    q, k, v = (t.view(2, 6, 4, 4) for t in layer.project(x).chunk(3, dim=2))
    heads = []
    for h in range(4):
        scores = q[:, :, h] @ k[:, :, h].transpose(1, 2) / 2
        scores = scores.masked_fill(torch.ones(6, 6).triu(1).bool(), float("-inf"))
        heads.append(scores.softmax(-1) @ v[:, :, h])
    print(torch.allclose(layer.join(torch.cat(heads, dim=2)), y, atol=1e-5))
