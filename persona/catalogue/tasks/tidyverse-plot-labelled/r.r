# snippet:doc https://ggplot2.tidyverse.org/reference/geom_bar.html geom_col
# snippet:about Tidyverse
# snippet:needs R 4.1
# snippet:usage
# snippet:prints 50% of all visits come from search
# snippet:prints mail, links, search
# snippet:prints 50%, 30%, 20%
# snippet:prints TRUE
# snippet:end
library(dplyr)
library(forcats)
library(ggplot2)

# visits: one row for each channel, with the number n of its visits
plot_channels <- function(visits) {
  shares <- visits |>
    mutate(share = n / sum(n), channel = fct_reorder(channel, share)) |>
    arrange(desc(share))
  percent <- \(x) paste0(round(100 * x), "%")
  first <- shares[1, ]

  ggplot(shares, aes(x = share, y = channel)) +
    geom_col(fill = "#0072B2", width = 0.7) + # the blue of Okabe and Ito
    geom_text(aes(label = percent(share)), hjust = -0.2) +
    scale_x_continuous(labels = percent, limits = c(0, 1), expand = expansion(c(0, 0.2))) +
    labs(
      title = paste(percent(first$share), "of all visits come from", first$channel),
      x = NULL, y = NULL
    ) +
    theme_minimal(base_size = 14) +
    theme(panel.grid.major.y = element_blank(), plot.title.position = "plot")
}
# ggsave("channels.png", plot_channels(visits), width = 16, height = 9, units = "cm", dpi = 200)
# snippet:usage
plot <- plot_channels(tibble(channel = c("links", "search", "mail"), n = c(30, 50, 20)))
cat(plot$labels$title, "\n")
cat(paste(levels(plot$data$channel), collapse = ", "), "\n")
cat(paste(layer_data(plot, 2)$label, collapse = ", "), "\n")
file <- file.path(tempdir(), "channels.pdf")
grDevices::pdf(file)
print(plot)
invisible(grDevices::dev.off())
cat(file.size(file) > 1000, "\n")
