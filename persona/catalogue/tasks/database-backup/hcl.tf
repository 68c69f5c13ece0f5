# snippet:doc https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle The lifecycle meta-argument
# snippet:description Let AWS Backup copy every night whatever carries a tag, and keep the copies for 35 days. A new database
# snippet:description needs only the tag; whether a copy restores is not tested here.
# snippet:why A database that gets the tag next month is saved, too.
# snippet:title Back up at night all that carries a tag
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
    schedule          = "cron(0 2 * * ? *)"
    lifecycle { delete_after = 35 } # days
  }
}

# Whatever carries the tag is saved, also the database of next month.
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
