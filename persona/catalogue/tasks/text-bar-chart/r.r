# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/strrep.html strrep
bar_chart <- function(x, width = 30) {
  bars <- strrep("#", round(pmax(x, 0, na.rm = TRUE) / max(x, .Machine$double.xmin, na.rm = TRUE) * width))
  cat(sprintf("%s %s %.15g\n", formatC(names(x), width = -max(nchar(names(x)))), bars, x), sep = "")
}

bar_chart(sort(table(mtcars$cyl), decreasing = TRUE))
bar_chart(c(Monday = 1200, Tuesday = 1850, Sunday = -0.5))
# snippet:check
bar_chart(c(a = 3, b = NA))
# snippet:prints 8 ############################## 14
# snippet:prints 4 ######################## 11
# snippet:prints 6 ############### 7
# snippet:prints Monday  ################### 1200
# snippet:prints Tuesday ############################## 1850
# snippet:prints Sunday   -0.5
# snippet:prints a ############################## 3
# snippet:prints b  NA
