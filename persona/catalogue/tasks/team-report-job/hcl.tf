# snippet:doc https://developer.hashicorp.com/terraform/language/resources Terraform resources
# snippet:description Call a function that writes the report every Monday between seven and a quarter past, local time in summer and
# snippet:description in winter. When the call fails, it is tried again, at most twice.
# snippet:about Terraform
# snippet:about AWS
resource "aws_scheduler_schedule" "weekly_report" {
  name                         = "weekly-report"
  schedule_expression          = "cron(0 7 ? * MON *)"
  schedule_expression_timezone = "Europe/Berlin" # seven o'clock, also in summer

  flexible_time_window {
    mode                      = "FLEXIBLE"
    maximum_window_in_minutes = 15
  }

  target {
    arn      = var.report_function_arn
    role_arn = var.scheduler_role_arn
    input    = jsonencode({ days = 7, audience = "team", format = "markdown" })
    retry_policy {
      maximum_retry_attempts = 2
    }
  }
}

variable "report_function_arn" { type = string }
variable "scheduler_role_arn" { type = string }
