# snippet:check
# snippet:doc https://docs.python.org/3/library/itertools.html#itertools.product itertools.product
# snippet:prints MAIVMGR MX
# snippet:end
from itertools import product

# The standard code, in the order TTT, TTC, TTA, TTG, TCT ... GGG; a star stops.
ACIDS = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
ACID_OF = {"".join(codon): acid for codon, acid in zip(product("TCAG", repeat=3), ACIDS, strict=True)}


def translate(gene: str) -> str:
    """The protein up to the first stop codon; X where a base is unknown. Bases left over are not translated."""
    gene = gene.upper().replace("U", "T")  # RNA as well
    protein = []
    for at in range(0, len(gene) - 2, 3):
        acid = ACID_OF.get(gene[at:at + 3], "X")
        if acid == "*":
            break
        protein.append(acid)
    return "".join(protein)
# snippet:check


print(translate("AUGGCCAUUGUAAUGGGCCGCUGAAAGGGUGCCCGAUAG"), translate("atgNcgTA"))
