# snippet:doc https://docs.python.org/3/library/statistics.html#statistics.linear_regression statistics.linear_regression
# snippet:needs Python 3.10
from statistics import correlation, fmean, linear_regression

hours = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
score = [52.0, 55.0, 61.0, 64.0, 70.0, 71.0]

slope, intercept = linear_regression(hours, score)
predicted = [slope * x + intercept for x in hours]

# Explained share of the variance; check the residuals too, R² alone hides curvature.
residual = sum((y - p) ** 2 for y, p in zip(score, predicted, strict=True))
total = sum((y - fmean(score)) ** 2 for y in score)
r_squared = 1 - residual / total

print(f"score = {slope:.2f} * hours + {intercept:.2f}")
print(f"R² = {r_squared:.3f}, r = {correlation(hours, score):.3f}")
# snippet:prints score = 4.09 * hours + 47.87
# snippet:prints R² = 0.978, r = 0.989
