# snippet:description Downloads fail now and then. Try again up to four times when the failure may pass, after pauses that grow to
# snippet:description five seconds at most and are partly random. When the last attempt fails, the caller gets its error.
# snippet:doc https://docs.julialang.org/en/v1/base/base/#Base.retry retry
# snippet:needs Julia 1.6
using Downloads

# Only what may pass is worth another try: no or a broken connection, too many requests, errors of the server.
const CONNECTION = (5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92) # as curl numbers them; 60 is a certificate
function transient(error)
    error isa Downloads.RequestError || return false
    status = error.response.status
    return error.code in CONNECTION || status == 429 || status >= 500
end

"""
    fetch_text(url)

Download a text; after a transient failure try again up to four times, after growing and partly random pauses.
"""
const fetch_text = retry(
    url -> String(take!(Downloads.download(url, IOBuffer(); timeout = 10))),
    delays = ExponentialBackOff(n = 4, first_delay = 0.2, max_delay = 5.0, jitter = 0.5),
    check = (_, error) -> transient(error),
)

fetch_text("https://www.example.com")
