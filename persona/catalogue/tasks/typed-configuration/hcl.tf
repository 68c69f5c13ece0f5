# snippet:doc https://developer.hashicorp.com/terraform/language/values/variables#custom-validation-rules Custom validation rules
# snippet:about Terraform
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
