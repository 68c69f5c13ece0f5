# snippet:description The password of a database comes from the environment, and is written neither to the configuration nor to the
# snippet:description state. One that is too short is refused.
# snippet:doc https://developer.hashicorp.com/terraform/language/values/variables#suppressing-values-in-cli-output Sensitive and ephemeral variables
# snippet:needs Terraform 1.11.1, the AWS provider 5.88
# snippet:about Terraform
# snippet:about AWS
# Neither in this file nor in the state: the value comes from TF_VAR_database_password.
variable "database_password" {
  type      = string
  sensitive = true
  ephemeral = true

  validation {
    condition     = length(var.database_password) >= 20
    error_message = "The database password has at least 20 characters."
  }
}

resource "aws_db_instance" "main" {
  identifier_prefix   = "main-"
  engine              = "postgres"
  instance_class      = "db.t4g.small"
  allocated_storage   = 20
  storage_encrypted   = true
  username            = "app"
  password_wo         = var.database_password # write-only
  password_wo_version = 1                     # one more for each new password
  deletion_protection = true
}
