# snippet:description A variable with a type for each of its settings, and defaults for those that may be left out. Terraform checks
# snippet:description the rules before it changes anything, and says which one does not hold. A setting with a name that it does not know is passed over.
# snippet:why A value that breaks a rule is named before anything is changed.
# snippet:title Settings with types, defaults and rules
# snippet:doc https://developer.hashicorp.com/terraform/language/values/variables#custom-validation-rules Custom validation rules
# snippet:about Terraform
# snippet:needs Terraform 1.3
variable "service" {
  description = "What may differ between environments."
  type = object({
    environment = string
    replicas    = optional(number, 2)
    log_level   = optional(string, "info")
  })

  validation {
    condition     = contains(["dev", "staging", "production"], var.service.environment)
    error_message = "environment is dev, staging or production."
  }
  validation {
    condition     = var.service.environment != "production" || var.service.replicas >= 2
    error_message = "In production there are at least two replicas."
  }
}

output "settings" {
  value = var.service
}
