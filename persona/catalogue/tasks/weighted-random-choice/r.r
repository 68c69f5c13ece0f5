# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/sample.html sample
loot <- c(common = 90, rare = 9, legendary = 1)

set.seed(7) # the same luck on every run
drops <- sample(names(loot), 10000, replace = TRUE, prob = loot)

observed <- table(factor(drops, names(loot)))
print(round(observed / sum(observed), 2))

# Is the generator fair? A large p-value gives no reason to doubt it.
cat(chisq.test(observed, p = loot / sum(loot))$p.value > 0.01, "\n")
# snippet:prints
# snippet:prints    common      rare legendary
# snippet:prints      0.90      0.09      0.01
# snippet:prints TRUE
