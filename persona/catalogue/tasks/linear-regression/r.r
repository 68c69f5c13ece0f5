# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/stats/html/lm.html lm
fit <- lm(mpg ~ wt, data = mtcars)

print(round(coef(summary(fit))[, c("Estimate", "Std. Error")], 3))
cat(sprintf("R squared %.3f\n", summary(fit)$r.squared))

# An interval says more than a number: what to expect of a car of 3,000 lbs.
new <- data.frame(wt = 3)
print(round(predict(fit, new, interval = "prediction", level = 0.95), 1))
# snippet:prints             Estimate Std. Error
# snippet:prints (Intercept)   37.285      1.878
# snippet:prints wt            -5.344      0.559
# snippet:prints R squared 0.753
# snippet:prints    fit  lwr  upr
# snippet:prints 1 21.3 14.9 27.6
