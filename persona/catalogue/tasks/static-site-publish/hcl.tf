# snippet:doc https://developer.hashicorp.com/terraform/language/functions/fileset The fileset function
# snippet:title Publish a static site
# snippet:description Upload every file of a built site to a bucket, with its type and the time for which browsers may keep it.
# snippet:description Only files whose content changed are uploaded again.
# snippet:about Terraform
# snippet:about AWS
locals {
  types = {
    html = "text/html; charset=utf-8"
    css  = "text/css; charset=utf-8"
    js   = "text/javascript; charset=utf-8"
    svg  = "image/svg+xml"
  }
}

# Every file of the built site; a file is uploaded again only when its content changed.
resource "aws_s3_object" "page" {
  for_each = fileset("${path.module}/site", "**")

  bucket        = var.bucket
  key           = each.value
  source        = "${path.module}/site/${each.value}"
  source_hash   = filemd5("${path.module}/site/${each.value}")
  content_type  = lookup(local.types, reverse(split(".", each.value))[0], "application/octet-stream")
  cache_control = endswith(each.value, ".html") ? "no-cache" : "public, max-age=31536000, immutable"
}

variable "bucket" {
  type = string
}
