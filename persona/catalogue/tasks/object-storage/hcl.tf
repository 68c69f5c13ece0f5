# snippet:doc https://developer.hashicorp.com/terraform/language/resources Terraform resources
# snippet:description A versioned bucket that refuses public access as a whole, so that a wrong setting on one file has no
# snippet:description effect. Old versions of a file are deleted after 90 days.
# snippet:about Terraform
# snippet:about AWS
resource "aws_s3_bucket" "files" {
  bucket_prefix = "team-files-"
}

resource "aws_s3_bucket_public_access_block" "files" {
  bucket                  = aws_s3_bucket.files.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_versioning" "files" {
  bucket = aws_s3_bucket.files.id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "files" {
  bucket = aws_s3_bucket.files.id
  rule {
    id     = "old versions"
    status = "Enabled"
    filter {}
    noncurrent_version_expiration { noncurrent_days = 90 }
  }
}
