# snippet:doc https://docs.pytorch.org/docs/stable/generated/torch.topk.html torch.topk
# snippet:about PyTorch
# snippet:needs PyTorch 1.9
# snippet:usage
# snippet:prints [2, 0]
# snippet:prints True
# snippet:prints (3, 4)
# snippet:end
import torch
from torch.nn.functional import normalize


@torch.inference_mode()
def nearest(questions: torch.Tensor, vectors: torch.Tensor, k: int = 5, chunk: int = 65_536):
    """Return cosine similarities and indexes, best first: k for each question, or all if there are fewer."""
    questions = normalize(questions, dim=1)
    best = questions.new_empty((len(questions), 0))
    indexes = torch.empty((len(questions), 0), dtype=torch.long, device=questions.device)
    for start in range(0, len(vectors), chunk):
        part = normalize(vectors[start : start + chunk].to(questions), dim=1)
        scores = torch.cat([best, questions @ part.T], dim=1)
        places = torch.arange(start, start + len(part), device=questions.device).expand(len(questions), -1)
        places = torch.cat([indexes, places], dim=1)
        best, chosen = scores.topk(min(k, scores.shape[1]), dim=1)
        indexes = places.gather(1, chosen)
    return best, indexes


# snippet:usage
vectors = torch.tensor([[1.0, 1.0], [-1.0, 0.0], [0.0, 9.0], [0.1, -3.0]])
print(nearest(torch.tensor([[0.1, 2.0]]), vectors, k=2)[1][0].tolist())
torch.manual_seed(0)
many, questions = torch.randn(1000, 8), torch.randn(3, 8)
all_at_once = torch.cosine_similarity(questions[:, None], many[None], dim=2).topk(5)
scores, places = nearest(questions, many, chunk=64)
print(torch.equal(places, all_at_once.indices) and torch.allclose(scores, all_at_once.values, atol=1e-5))
print(tuple(nearest(questions, vectors=torch.randn(4, 8), k=9)[1].shape))
