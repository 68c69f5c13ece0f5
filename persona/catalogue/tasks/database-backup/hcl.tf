# snippet:doc https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle The lifecycle meta-argument
# snippet:description Let AWS Backup copy every night what carries a tag, and keep the copies for 35 days. A new database needs
# snippet:description only the tag, if the account has opted in to backups of its kind; whether a copy restores is not tested here.
# snippet:why A database that gets the tag next month is saved, too.
# snippet:title Back up at night what carries a tag
variable "backup_role_arn" { type = string }

# snippet:about Terraform
# snippet:about AWS
resource "aws_backup_vault" "main" {
  name = "databases"
  lifecycle { prevent_destroy = true } # a typo must not delete the copies
}

resource "aws_backup_plan" "nightly" {
  name = "nightly"

  rule {
    rule_name         = "nightly"
    target_vault_name = aws_backup_vault.main.name
    schedule          = "cron(0 2 * * ? *)" # UTC
    lifecycle { delete_after = 35 }         # days
  }
}

# Also the database of next month, if it carries the tag.
resource "aws_backup_selection" "tagged" {
  name         = "tagged"
  plan_id      = aws_backup_plan.nightly.id
  iam_role_arn = var.backup_role_arn
  selection_tag {
    type  = "STRINGEQUALS"
    key   = "backup"
    value = "nightly"
  }
}
