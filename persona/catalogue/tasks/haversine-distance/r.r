# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/Trig.html Trigonometric functions
# snippet:prints 343.6 NA
# snippet:prints 20015.1
# snippet:end
#' Distance in km between places in degrees. Vectorised: whole columns at once; what is missing stays missing.
haversine <- function(lat1, lon1, lat2, lon2, radius = 6371.0088) {
  radians <- function(degrees) degrees * pi / 180
  h <- sin(radians(lat2 - lat1) / 2)^2 +
    cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2)^2
  2 * radius * asin(sqrt(pmin(1, h)))
}
# snippet:check
cat(round(haversine(51.5074, -0.1278, c(48.8566, NA), c(2.3522, 0)), 1), "\n")
cat(round(haversine(0, 0, 0, 180), 1), "\n")
