# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/commandArgs.html commandArgs
usage <- "usage: Rscript fit.R --data=FILE [--degree=N] [--plot]"

parse_options <- function(args) {
  options <- list(data = NULL, degree = 1L, plot = FALSE)
  for (arg in args) {
    parts <- regmatches(arg, regexec("^--([a-z]+)(=.*)?$", arg))[[1]]
    if (length(parts) == 0 || !parts[2] %in% names(formals(fit))) {
      stop("unknown option ", arg, "\n", usage, call. = FALSE)
    }
    value <- sub("^=", "", parts[3])
    wanted <- c(data = "=.", degree = "^=[1-9][0-9]{0,2}$", plot = "^$")[[parts[2]]]
    if (!grepl(wanted, parts[3])) stop("--", parts[2], ": not \"", value, "\"\n", usage, call. = FALSE)
    options[[parts[2]]] <- switch(parts[2], degree = as.integer(value), plot = TRUE, value)
  }
  if (is.null(options$data)) stop("--data is missing\n", usage, call. = FALSE)
  options
}

fit <- function(data, degree, plot) {
  sprintf("degree %d on %s%s", degree, data, if (plot) ", with a plot" else "")
}
# do.call(fit, parse_options(commandArgs(trailingOnly = TRUE)))
# snippet:check
cat(do.call(fit, parse_options(c("--data=a.csv", "--degree=3", "--plot"))), "\n")
cat(tryCatch(parse_options("--size=3"), error = conditionMessage), "\n")
cat(tryCatch(parse_options("--plot"), error = conditionMessage), "\n")
cat(tryCatch(parse_options("--degree=x"), error = conditionMessage), "\n")
for (bad in c("--degree=99999999999", "--degree=0", "--plot=no", "--plot=", "--data", "--degree5")) {
  stopifnot(tryCatch(is.null(parse_options(c("--data=a", bad))), error = \(e) TRUE))
}
# snippet:prints degree 3 on a.csv, with a plot
# snippet:prints unknown option --size=3
# snippet:prints usage: Rscript fit.R --data=FILE [--degree=N] [--plot]
# snippet:prints --data is missing
# snippet:prints usage: Rscript fit.R --data=FILE [--degree=N] [--plot]
# snippet:prints --degree: not "x"
# snippet:prints usage: Rscript fit.R --data=FILE [--degree=N] [--plot]
