# snippet:doc https://developer.hashicorp.com/terraform/language/functions/fileset The fileset function
# snippet:why Each file gets its type and the time for which browsers may keep it.
# snippet:title Publish a static site
# snippet:description Upload every file of a built site to a bucket, with its type and the time for which browsers may keep it.
# snippet:description A file whose content changed is uploaded again.
# snippet:about Terraform
# snippet:needs Terraform 1.3
# snippet:about AWS
locals {
  # A kind that is not listed would be a download: add a line for it.
  types = {
    html  = "text/html; charset=utf-8"
    css   = "text/css; charset=utf-8"
    js    = "text/javascript; charset=utf-8"
    svg   = "image/svg+xml"
    png   = "image/png"
    webp  = "image/webp"
    woff2 = "font/woff2"
    txt   = "text/plain; charset=utf-8"
  }
}

# Every file of the built site; it is uploaded again when its content changed, and deleted when it
# is gone: build first. The names in assets/ have to change with the content: browsers keep those
# files for a year.
resource "aws_s3_object" "page" {
  for_each = fileset("${path.module}/site", "**")

  bucket        = var.bucket
  key           = each.value
  source        = "${path.module}/site/${each.value}"
  source_hash   = filemd5("${path.module}/site/${each.value}")
  content_type  = lookup(local.types, reverse(split(".", each.value))[0], "application/octet-stream")
  cache_control = startswith(each.value, "assets/") ? "public, max-age=31536000, immutable" : "no-cache"
}

variable "bucket" {
  type = string
}
