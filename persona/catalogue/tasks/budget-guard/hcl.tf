# snippet:doc https://developer.hashicorp.com/terraform/language/meta-arguments/for_each The for_each meta-argument
# snippet:about Terraform
# snippet:about AWS
variable "monthly_limits" {
  description = "Dollars a month, by the value of the tag \"team\"."
  type        = map(number)
  default     = { search = 400, research = 150, teaching = 50 }
}

resource "aws_budgets_budget" "team" {
  for_each = var.monthly_limits

  name         = "team-${each.key}"
  budget_type  = "COST"
  time_unit    = "MONTHLY"
  limit_unit   = "USD"
  limit_amount = tostring(each.value)

  cost_filter { # "team" has to be activated as a cost allocation tag
    name   = "TagKeyValue"
    values = [format("user:team$%s", each.key)] # "$${" would be a literal "${"
  }

  notification { # while there is still time to switch something off
    notification_type          = "FORECASTED"
    comparison_operator        = "GREATER_THAN"
    threshold                  = 80
    threshold_type             = "PERCENTAGE"
    subscriber_email_addresses = ["${each.key}@example.com"]
  }
}
